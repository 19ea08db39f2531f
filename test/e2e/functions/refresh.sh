#!/usr/bin/env bash
# Writes fixtures/functions/*expected.json anew: what Helm's own functions and engine make of the cases beside them.
# Needs Go and the module proxy. Local time is Berlin's, so that zones that change twice a year are seen; of the typed
# cases it is Lagos', because TOML's times without a zone have the offset of today.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fixtures=$(cd "$here/../../../fixtures/functions" && pwd)
# OUT is another folder to write to: functions.test.ts compares what is written there.
out=${OUT:-$fixtures}
helm_version=$(sed -n 's/^  *"helm": "\(.*\)",$/\1/p' "$fixtures/cases.json")

build=${ORACLE_BUILD:-$(mktemp -d)}
mkdir -p "$build"
mkdir -p "$build/typed"
cp "$here/oracle.go" "$build/main.go"
cp "$here/typed/oracle.go" "$build/typed/main.go"
touch "$build/empty.s"
cd "$build"
if [ ! -f go.mod ]; then
  go mod init oracle >/dev/null 2>&1
  GOFLAGS=-mod=mod go get "helm.sh/helm/v4@$helm_version"
fi
GOFLAGS=-mod=mod go build -o oracle .
TZ=Europe/Berlin ./oracle "$fixtures/cases.json" "$out/expected.json"
TZ=Europe/Berlin ./oracle "$fixtures/encoder-cases.json" "$out/encoder-expected.json"
GOFLAGS=-mod=mod go build -o typed-oracle ./typed
TZ=Africa/Lagos ./typed-oracle "$fixtures/typed-cases.json" "$out/typed-expected.json"
