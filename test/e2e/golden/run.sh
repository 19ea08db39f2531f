#!/usr/bin/env bash
# Helm's own command tests with another program in Helm's place: they run its command lines against a sandbox and judge
# what it prints, by Helm's golden files too. Runs them with Helm's binary first: what fails with Helm itself, since its
# tests look inside it, says nothing of another program. Prints the tests that fail with PROGRAM alone, and the count.
# Exit code 1: one fails that count.mjs does not name, one that it names passes by now, or too few have run.
# Usage: run.sh PROGRAM HELM [go test's flags], for example run.sh bin/tshelm ~/.cache/tshelm-e2e/bin/helm -run TestGetCmd.
# Needs Go. 4 minutes on two cores, and as long again to compile the first time.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
program=$(realpath "$1"); helm=$(realpath "$2"); shift 2
version=v4.3.1
# As Helm itself was built, so that what is compiled already is not compiled again.
export CGO_ENABLED=0
source=$(go mod download -json "helm.sh/helm/v4@$version" | sed -n 's/^.*"Dir": "\(.*\)",$/\1/p')
work=$(mktemp -d)
sandbox=
trap '[ -z "$sandbox" ] || kill "$sandbox" 2>/dev/null || true; rm -rf "$work"' EXIT
cp -r "$source" "$work/source" && chmod -R u+w "$work/source"
# The module proxy keeps no modes.
find "$work/source" \( -name '*.sh' -o -name plugin.complete \) -exec chmod +x {} +
commands=$work/source/pkg/cmd
sed -i '/^func executeActionCommandStdinC/,/^}/d' "$commands/helpers_test.go"
sed -i -E '/"io"$|go-shellwords|kubefake|pkg\/chart\/common"/d' "$commands/helpers_test.go"
cp "$here/in_place_test.go" "$commands/"
(cd "$commands" && go test -c -o "$work/tests" .)

# Each program gets a sandbox of its own. `-run X` is `-test.run X` to a compiled test.
run() {
  mkdir "$work/$1"
  "$here/../../../bin/tshelm" sandbox --sandbox-dir "$work/$1/sandbox" --write-kubeconfig "$work/$1/kubeconfig" >"$work/$1/log" &
  sandbox=$!
  until [ -s "$work/$1/kubeconfig" ]; do kill -0 "$sandbox"; sleep 0.2; done
  ln -s "$2" "$work/$1/helm"
  (cd "$commands" && GOLDEN_HELM=$work/$1/helm GOLDEN_KUBECONFIG=$work/$1/kubeconfig \
    go tool test2json -t "$work/tests" -test.v=test2json "${flags[@]}") >"$work/$1.jsonl" || true
  kill "$sandbox"; wait "$sandbox" 2>/dev/null || true; sandbox=
}
flags=(); for word in "$@"; do flags+=("${word/#-/-test.}"); done
run helm "$helm"
run program "$program"
node "$here/count.mjs" "$work/helm.jsonl" "$work/program.jsonl" "$#"
