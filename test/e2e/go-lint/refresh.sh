#!/usr/bin/env bash
# Writes fixtures/deprecated-apis.json and fixtures/jsonpath/expected.json anew. Needs Go and the module proxy.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)
build=${ORACLE_BUILD:-$(mktemp -d)}
mkdir -p "$build"
cp "$here/oracle.go" "$build/main.go"
cd "$build"
if [ ! -f go.mod ]; then
  go mod init oracle >/dev/null 2>&1
  GOFLAGS=-mod=mod go get "helm.sh/helm/v4@${HELM_VERSION:-v4.3.1}"
fi
GOFLAGS=-mod=mod go build -o oracle .
./oracle apis >apis.json
./oracle jsonpath "$root/fixtures/jsonpath/expected.json" >jsonpath.json
# Without line breaks the formatter keeps each API on a line of its own.
node -p "JSON.stringify(JSON.parse(require('node:fs').readFileSync('apis.json', 'utf8')))" >"$root/fixtures/deprecated-apis.json"
cp jsonpath.json "$root/fixtures/jsonpath/expected.json"
cd "$root" && npx biome format --write fixtures/deprecated-apis.json
