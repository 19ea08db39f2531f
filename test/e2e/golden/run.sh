#!/usr/bin/env bash
# Helm's own command tests with another program in Helm's place: they run its command lines against a sandbox and judge
# what it prints, by Helm's golden files too. Prints the tests that fail, and the count.
# Usage: run.sh PROGRAM [go test's flags], for example run.sh bin/tshelm -run TestGetCmd. Needs Go.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$1; shift
version=v4.3.1
source=$(go mod download -json "helm.sh/helm/v4@$version" | sed -n 's/^.*"Dir": "\(.*\)",$/\1/p')
work=$(mktemp -d)
cp -r "$source" "$work/source" && chmod -R u+w "$work/source"
# The module proxy keeps no modes.
find "$work/source" \( -name '*.sh' -o -name plugin.complete \) -exec chmod +x {} +
commands=$work/source/pkg/cmd
sed -i '/^func executeActionCommandStdinC/,/^}/d' "$commands/helpers_test.go"
sed -i -E '/"io"$|go-shellwords|kubefake|pkg\/chart\/common"/d' "$commands/helpers_test.go"
cp "$here/in_place_test.go" "$commands/"
"$here/../../../bin/tshelm" sandbox --sandbox-dir "$work/sandbox" --write-kubeconfig "$work/kubeconfig" >"$work/sandbox.log" &
sandbox=$!
trap 'kill "$sandbox" 2>/dev/null || true; rm -rf "$work"' EXIT
until [ -s "$work/kubeconfig" ]; do sleep 0.2; done
ln -s "$(realpath "$program")" "$work/helm"
export GOLDEN_HELM=$work/helm GOLDEN_KUBECONFIG=$work/kubeconfig
(cd "$commands" && go test -count=1 -json . "$@") >"$work/results.jsonl" || true
node "$here/count.mjs" "$work/results.jsonl"
