#!/usr/bin/env bash
# Writes fixtures/{set,coalesce,load,ignore,schema,semver}/expected.json anew: what Helm's own packages make of the
# cases.json beside them, and fixtures/show. Needs Go, the module proxy, and Helm's binary (HELM).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fixtures=$(cd "$here/../../../fixtures" && pwd)
# OUT is another folder to write to: go-chart.test.ts compares what is written there.
out=${OUT:-$fixtures}
helm_version=$(sed -n 's/^ *"helm": "\(.*\)",$/\1/p' "$fixtures/set/cases.json")

build=${ORACLE_BUILD:-$(mktemp -d)}
mkdir -p "$build"
cp "$here/oracle.go" "$build/main.go"
cd "$build"
if [ ! -f go.mod ]; then
  go mod init oracle >/dev/null 2>&1
  GOFLAGS=-mod=mod go get "helm.sh/helm/v4@$helm_version"
fi
GOFLAGS=-mod=mod go build -o oracle .
for kind in "${@:-set coalesce load ignore schema semver}"; do
  for name in $kind; do mkdir -p "$out/$name" && ./oracle "$name" "$fixtures/$name/cases.json" "$out/$name/expected.json"; done
done

# What Helm's command line shows of a chart.
helm=${HELM:-$HOME/.cache/tshelm-e2e/bin/helm}
mkdir -p "$out/show"
for section in chart values readme crds all; do
  "$helm" show "$section" "$fixtures/charts/shown" >"$out/show/$section.txt"
done
