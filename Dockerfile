# The one image of operator and query server: `docker build -t analytics-catalog:0.1.0 .`
# The build fetches crates; give it BuildKit (the default since Docker 23) for the cache of what is built.

FROM rust:1.89-slim-bookworm AS build
WORKDIR /workspace
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/workspace/target \
    cargo build --locked --release --bin analytics-catalog \
    && cp target/release/analytics-catalog /analytics-catalog

# The C library, libgcc and the certificate authorities; no shell.
FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /analytics-catalog /usr/bin/analytics-catalog
USER 65532:65532
ENTRYPOINT ["/usr/bin/analytics-catalog"]
