#!/usr/bin/env bash
# Builds what stands on the other side of tshelm in the end-to-end tests into $1 (default: ~/.cache/tshelm-e2e/bin), from
# Go modules: a registry (distribution v3), and programs that call helm: chart-testing, helmfile, kustomize, and
# helm-unittest, a plugin's program.
#   build.sh [BIN] [NAME...]     NAME: registry kustomize ct unittest helmfile (default: all)
# What is already there is left alone. Cold on two cores: registry 2 min, kustomize 20 s, ct 30 s, unittest 2 min,
# helmfile 7 min.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
bin=${1:-$HOME/.cache/tshelm-e2e/bin}
shift || true
[ $# -gt 0 ] || set -- registry kustomize ct unittest helmfile
mkdir -p "$bin"
export CGO_ENABLED=0
package() {
  case $1 in
    registry) echo github.com/distribution/distribution/v3/cmd/registry ;;
    kustomize) echo sigs.k8s.io/kustomize/kustomize/v5 ;;
    ct) echo github.com/helm/chart-testing/v3/ct ;;
    unittest) echo github.com/helm-unittest/helm-unittest/cmd/helm-unittest ;;
    helmfile) echo github.com/helmfile/helmfile ;;
    *) echo "unknown: $1" >&2; return 1 ;;
  esac
}
for name in "$@"; do
  path=$(package "$name")
  [ -x "$bin/$name" ] || (cd "$here/$name" && go build -trimpath -ldflags '-s -w' -o "$bin/$name" "$path")
done
ls "$bin"
