# Short calls of cargo, helm and the scripts. `make help` lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 16

build: ## Build the program (dev profile)
	@scripts/require.sh cargo
	cargo build --locked

demo: ## Run standalone on the examples and ask as two tenants (ONCE=1: end after the queries)
	@scripts/require.sh cargo npm-or-clickhouse python3
	@test -e target/debug/analytics-catalog \
		|| echo "Building the program; the first time takes about 4 minutes on 2 cores …"
	@cargo build --locked
	@python3 examples/demo.py

demo-status: ## Say how each source and dataset of the demo stands
	@scripts/require.sh python3
	@python3 examples/demo.py status

demo-stop: ## End the demo that was left running
	@python3 examples/demo.py stop

test: ## Run everything, on a real control plane and a real ClickHouse
	@scripts/require.sh cargo go npm-or-clickhouse python3
	@e2e/controlplane/build.sh > /dev/null
	cargo test --locked

test-fast: ## Run what needs no server
	@scripts/require.sh cargo
	cargo test --locked --lib
	cargo test --locked --test it -- architecture:: check:: compile:: configuration:: documentation:: http:: manifest:: plan:: \
		query:: \
		--skip compile::drift --skip compile::language --skip compile::on_clickhouse --skip compile::rows --skip compile::values

figures: ## Run the benches behind the bars and print each figure (ONLY=a: one group of them, ONLY=b.7: one of the compiler)
	@scripts/require.sh cargo go npm-or-clickhouse python3
	@e2e/controlplane/build.sh > /dev/null
	cargo bench --locked --bench figures

lint: ## Format, clippy, docs, licences and sources of dependencies
	@scripts/require.sh cargo cargo-deny
	cargo fmt --check
	cargo clippy --locked --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --locked --no-deps --quiet
	cargo deny --locked check bans licenses sources

generate: ## Write the generated files: CRDs, the chart's copies, tables in docs/
	@scripts/require.sh cargo
	WRITE_GENERATED=1 cargo test --locked --test it -- crds::committed configuration:: documentation::

.PHONY: help build demo demo-status demo-stop test test-fast figures lint generate
