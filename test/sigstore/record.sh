#!/usr/bin/env bash
# Makes test/sigstore/fixtures anew with the real programs: cosign 3.1 and distribution's registry, which are in $1.
#   record.sh BIN
# A chart's archive and its manifest in a registry, signed by cosign with a key (password: secret); both signed by an
# identity of a sigstore of our own (private-sigstore.ts), which cosign accepts too. verdicts.json says of two hundred
# changed bundles whether cosign still accepts them, signers.json of each signer that may be asked for whether one is it.
set -euo pipefail
bin=$1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$here/fixtures"
cd "$here/fixtures"
rm -f -- *
work=$(mktemp -d)
export COSIGN_PASSWORD=secret HOME=$work DOCKER_CONFIG=$work
"$bin/cosign" generate-key-pair 2>/dev/null
"$bin/cosign" signing-config create --out "$work/signing-config.json"

node "$here/../../bin/tshelm" create "$work/web" > /dev/null
SOURCE_DATE_EPOCH=1767225600 node "$here/../../bin/tshelm" package "$work/web" -d "$work" > /dev/null
mv "$work/web-0.1.0.tgz" chart.tgz
"$bin/cosign" sign-blob --yes --key cosign.key --signing-config "$work/signing-config.json" --bundle chart.key.json chart.tgz 2>/dev/null

cat > "$work/registry.yml" <<CONFIG
{version: 0.1, log: {accesslog: {disabled: true}}, storage: {filesystem: {rootdirectory: $work/data}}, http: {addr: '127.0.0.1:5917'}}
CONFIG
"$bin/registry" serve "$work/registry.yml" 2> "$work/registry.log" &
trap 'kill %1; rm -rf "$work"' EXIT
until grep -q listening "$work/registry.log"; do sleep 0.1; done
cp chart.tgz "$work/web-0.1.0.tgz"
node "$here/../../bin/tshelm" push "$work/web-0.1.0.tgz" oci://127.0.0.1:5917/charts --plain-http > /dev/null
at=127.0.0.1:5917/charts/web
fetch() { curl -sf -H 'Accept: application/vnd.oci.image.manifest.v1+json, application/vnd.oci.image.index.v1+json' "http://127.0.0.1:5917/v2/charts/web/$1"; }
fetch manifests/0.1.0 > manifest.json
digest=sha256:$(sha256sum manifest.json | cut -d' ' -f1)
"$bin/cosign" sign --yes --allow-http-registry --key cosign.key --signing-config "$work/signing-config.json" "$at@$digest" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
fetch "manifests/${digest/:/-}" > referrers.json
referrer=$(node -p 'JSON.parse(fs.readFileSync("referrers.json")).manifests[0].digest')
fetch "manifests/$referrer" > referrer.json
fetch "blobs/$(node -p 'JSON.parse(fs.readFileSync("referrer.json")).layers[0].digest')" > manifest.key.json
# As cosign 2 did.
"$bin/cosign" sign --yes --allow-http-registry --key cosign.key --new-bundle-format=false --use-signing-config=false --tlog-upload=false "$at@$digest" > "$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
fetch "manifests/${digest/:/-}.sig" > legacy-manifest.json
fetch "blobs/$(node -p 'JSON.parse(fs.readFileSync("legacy-manifest.json")).layers[0].digest')" > legacy-payload.json

"$here/../../node_modules/.bin/esbuild" "$here/write-identity.ts" --bundle --platform=node --log-level=error --outfile="$work/write-identity.cjs"
node "$work/write-identity.cjs"
node "$here/change-bundles.mjs" "$bin/cosign" > "$work/verdicts.json"
rm -f changed.json
mv "$work/verdicts.json" .
node "$here/ask-signers.mjs" "$bin/cosign" > signers.json
