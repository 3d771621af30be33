#!/usr/bin/env bash
# Builds the programs of the control plane that the end-to-end tests run
# against, once: they are kept in a cache folder and found there afterwards.
#
#   build.sh         the control plane: kube-apiserver, kube-controller-manager,
#                    kube-scheduler, kubectl, etcd; and Helm beside them
#   build.sh helm    Helm alone: the one on PATH where there is one and
#                    KUBEBUILDER_ASSETS is in use, else the cached one
#
# The last line on standard output is the folder that holds the programs,
# everything else goes to standard error.
set -euo pipefail

helm_version=v4.3.1
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
wanted=${1:-all}

say() { printf '%s\n' "$*" >&2; }

# The version that a go.mod file requires of a module.
required_version() { # go.mod file, module
  sed -n "s|^\(require\)\{0,1\}[[:space:]]*$2 \(v[^ ]*\).*|\2|p" "$1" | head -n 1
}

checksum() {
  if command -v sha256sum >/dev/null; then sha256sum; else shasum -a 256; fi
}

# Names the sources: a change in any of them, or of Helm, is another folder.
cache_key() {
  {
    cd "$source_folder"
    for module in etcd kubernetes; do
      cat "$module/go.mod" "$module/go.sum" "$module/main.go"
    done
    printf 'helm %s\n' "$helm_version"
  } | checksum | cut -c 1-16
}

holds() { # folder, programs
  local folder=$1 program
  shift
  for program in "$@"; do
    [[ -x $folder/$program ]] || return 1
  done
}

cache_root() {
  if [[ -n ${ANALYTICS_CATALOG_CACHE:-} ]]; then
    printf '%s\n' "$ANALYTICS_CATALOG_CACHE"
  elif [[ -n ${XDG_CACHE_HOME:-} ]]; then
    printf '%s\n' "$XDG_CACHE_HOME/analytics-catalog"
  elif [[ -n ${HOME:-} ]]; then
    printf '%s\n' "$HOME/.cache/analytics-catalog"
  else
    say "There is nowhere to keep the programs: set ANALYTICS_CATALOG_CACHE, XDG_CACHE_HOME or HOME."
    return 1
  fi
}

require_go() {
  local version
  if version=$(go env GOVERSION 2>/dev/null) && [[ $version =~ ^go1\.([0-9]+) ]]; then
    # From 1.21 on, Go fetches the newer release that go.mod asks for itself.
    ((BASH_REMATCH[1] >= 21)) && return
    say "Go here is $version, which is too old to build the control plane for the tests."
  else
    say "There is no Go here to build the control plane for the tests."
  fi
  say "Either install Go 1.26 or newer, or set KUBEBUILDER_ASSETS to a folder"
  say "that holds kube-apiserver, etcd and kubectl."
  return 1
}

# Runs Go with the settings that make the outcome independent of the machine:
# no C compiler, no file paths, nothing of an enclosing workspace or checkout.
run_go() {
  CGO_ENABLED=0 GOWORK=off go "$@"
}

# Builds one program in a folder of its own and moves it into place whole, so
# that a build that was cut off is never taken for a finished one.
build_program() { # program
  local program=$1 partial version
  holds "$folder" "$program" && return
  require_go
  partial=$(mktemp -d "$folder/.partial.XXXXXX")
  # shellcheck disable=SC2064  # the folder of now, not of later
  trap "rm -rf '$partial'" EXIT
  case $program in
    etcd)
      version=$(required_version "$source_folder/etcd/go.mod" go.etcd.io/etcd/server/v3)
      say "building etcd $version (about 1 minute on 2 cores) …"
      (cd "$source_folder/etcd" &&
        run_go build -mod=readonly -trimpath -buildvcs=false -ldflags '-s -w' -o "$partial/etcd" .) >&2
      ;;
    kubernetes)
      version=$(required_version "$source_folder/kubernetes/go.mod" k8s.io/kubernetes)
      say "building Kubernetes $version (6 to 10 minutes on 2 cores) …"
      (cd "$source_folder/kubernetes" &&
        run_go build -mod=readonly -trimpath -buildvcs=false \
          -ldflags "-s -w $(kubernetes_version_flags "$version")" -o "$partial/kubernetes" .) >&2
      ;;
    helm)
      say "building Helm $helm_version (about 3 minutes on 2 cores) …"
      (cd "$partial" &&
        GOBIN=$partial run_go install -trimpath -buildvcs=false -ldflags '-s -w' \
          "helm.sh/helm/v4/cmd/helm@$helm_version") >&2
      ;;
  esac
  mv "$partial/$program" "$folder/$program"
  rm -rf "$partial"
  trap - EXIT
}

# Without these the API server says that it is v0.0.0, and charts that ask for
# a Kubernetes version are refused.
kubernetes_version_flags() { # version
  local major minor
  IFS=. read -r major minor _ <<<"${1#v}"
  printf -- '-X k8s.io/component-base/version.%s ' \
    "gitVersion=$1" "gitMajor=$major" "gitMinor=$minor"
}

# Two test runs that start together must not both build for ten minutes.
take_turns() {
  command -v flock >/dev/null || return 0
  exec 9>"$folder/.lock"
  if ! flock --nonblock 9; then
    say "waiting for another build of the same programs …"
    flock 9
  fi
  rm -rf "$folder"/.partial.*
}

links=(kube-apiserver kube-controller-manager kube-scheduler kubectl service-account-keys)

if [[ -n ${KUBEBUILDER_ASSETS:-} ]]; then
  if ! holds "$KUBEBUILDER_ASSETS" kube-apiserver etcd kubectl; then
    say "KUBEBUILDER_ASSETS is $KUBEBUILDER_ASSETS, which does not hold kube-apiserver, etcd and kubectl."
    exit 1
  elif [[ $wanted == all ]]; then
    printf '%s\n' "$KUBEBUILDER_ASSETS"
    exit
  elif helm=$(type -P helm); then
    dirname "$helm"
    exit
  fi
fi

root=$(cache_root)
mkdir -p "$root"
root=$(cd "$root" && pwd)
# Go keeps its own caches under HOME and refuses to work without one.
if [[ -z ${HOME:-} ]]; then
  export GOCACHE=${GOCACHE:-$root/go-build} GOPATH=${GOPATH:-$root/go}
fi
folder=$root/controlplane/$(cache_key)
case $wanted in
  all) programs=(etcd kubernetes helm) ;;
  helm) programs=(helm) ;;
  *)
    say "usage: build.sh [helm]"
    exit 2
    ;;
esac

mkdir -p "$folder"
if ! holds "$folder" "${programs[@]}"; then
  take_turns
  for program in "${programs[@]}"; do
    build_program "$program"
  done
fi
if [[ $wanted == all ]] && ! holds "$folder" "${links[@]}"; then
  for link in "${links[@]}"; do
    ln -sfn kubernetes "$folder/$link"
  done
fi
printf '%s\n' "$folder"
