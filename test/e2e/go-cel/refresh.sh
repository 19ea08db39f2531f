#!/usr/bin/env bash
# Answers the cases of fixtures/cel/expected.json anew. Needs Go and the module proxy.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=${ORACLE_BUILD:-$(mktemp -d)}
mkdir -p "$build"
cp "$here/oracle.go" "$build/main.go"
cd "$build"
if [ ! -f go.mod ]; then
  go mod init oracle >/dev/null 2>&1
  GOFLAGS=-mod=mod go get "github.com/google/cel-go@${CEL_VERSION:-v0.31.0}"
fi
GOFLAGS=-mod=mod go build -o oracle .
./oracle "$root/fixtures/cel/expected.json"
