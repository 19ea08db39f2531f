#!/usr/bin/env bash
# Runs Helm's own tests, and those of Sprig, semver and kstatus, with what functions.txt names written down: every call,
# its arguments and what Helm's package answered, as WORK/records/*.jsonl. Sources and test data are those of the module
# cache, copied to WORK. Usage: run.sh WORK. Needs Go. A minute on two cores, and as long again to compile the first time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(realpath "$1")
version=v4.3.1
export CGO_ENABLED=0 GOFLAGS=-mod=mod
take() { cp -r "$1" "$work/$2" && chmod -R u+w "$work/$2"; }
mkdir -p "$work/records"
take "$(go mod download -json "helm.sh/helm/v4@$version" | sed -n 's/^.*"Dir": "\(.*\)",$/\1/p')" helm
# The module proxy keeps no modes.
find "$work/helm" \( -name '*.sh' -o -name plugin.complete \) -exec chmod +x {} +
cp -r "$here/record" "$work/record"
cd "$work/helm"
go mod edit -require tshelm/record@v0.0.0 -replace tshelm/record=../record
modules=(github.com/Masterminds/sprig/v3=sprig github.com/Masterminds/semver/v3=semver github.com/fluxcd/cli-utils=cli-utils)
for module in "${modules[@]}"; do
  take "$(go list -m -f '{{.Dir}}' "${module%=*}")" "${module#*=}"
  go mod edit -replace "${module%=*}=../${module#*=}"
done
go run "$here/instrument/main.go" "$work" "$here/functions.txt"
sed -i 's#^\(\s*\)"text/template"#\1"tshelm/record/template"#' "$work"/sprig/*_test.go pkg/engine/funcs_test.go
# What fails here fails in Helm's own source, for want of a network: a call that was made is written down all the same.
unset "${!HELM_@}" KUBECONFIG
export RECORDS=$work/records HELM_CONFIG_HOME=$work/home/config HELM_CACHE_HOME=$work/home/cache HELM_DATA_HOME=$work/home/data
grep -v '^#' "$here/packages.txt" | while read -r words; do
  # shellcheck disable=SC2086
  go test -vet=off -count=1 $words || true
done >"$work/log" 2>&1
