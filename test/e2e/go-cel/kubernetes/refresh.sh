#!/usr/bin/env bash
# Answers the cases of fixtures/cel/kubernetes.json anew. Needs Go and the module proxy.
#   refresh.sh                  the fixture
#   refresh.sh - < EXPRESSIONS  one expression a line, as Kubernetes' own tests have them: answers on stdout
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../../.." && pwd)
build=${ORACLE_BUILD:-$(mktemp -d)}
mkdir -p "$build"
cp "$here/oracle.go" "$build/main.go"
cd "$build"
if [ ! -f go.mod ]; then
  go mod init oracle >/dev/null 2>&1
  GOFLAGS=-mod=mod go get "k8s.io/apiserver@${APISERVER_VERSION:-v0.36.3}" >&2
fi
GOFLAGS=-mod=mod go build -o oracle .
./oracle "${1:-$root/fixtures/cel/kubernetes.json}"
