#!/usr/bin/env bash
# The end-to-end tests: a real control plane, Helm itself, and Go's own libraries as the reference.
# Needs Go, and for pages chromium; where Go is absent this says so and does nothing, but in CI (CI=true) that is a failure.
# The last line is the count: "N passed, N failed".
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."

missing() {
  echo "end-to-end tests SKIPPED: $1"
  if [ "${CI:-}" = true ]; then echo '0 passed, 1 failed'; exit 1; fi
  echo '0 passed, 0 failed'
  exit 0
}
command -v go >/dev/null || missing 'Go is not installed; it builds the control plane and Helm'
command -v openssl >/dev/null || missing 'openssl is not installed'
command -v curl >/dev/null || missing 'curl is not installed'
command -v gpg >/dev/null || missing 'gpg is not installed'

bin=${TSHELM_E2E_BIN:-$HOME/.cache/tshelm-e2e/bin}
echo "building the control plane and Helm into $bin (cached; about 15 minutes the first time)"
bash "$here/control-plane/build.sh" "$bin" >/dev/null
bash "$here/callers/build.sh" "$bin" >/dev/null

plane=$(mktemp -d)
stop() { bash "$here/control-plane/down.sh" "$plane" >/dev/null 2>&1 || true; rm -rf "$plane"; }
trap stop EXIT
AUDIT=1 bash "$here/control-plane/up.sh" "$bin" "$plane" "${TSHELM_E2E_PORT:-26443}" >/dev/null

npm run --silent build
rm -f coverage/e2e-results.json
export TSHELM_E2E_BIN=$bin KUBECONFIG=$plane/kubeconfig
export HELM_CONFIG_HOME=$plane/helm HELM_CACHE_HOME=$plane/helm-cache HELM_DATA_HOME=$plane/helm-data
status=0
# The longest run takes a third of this, beside a campaign; a hang must not outlast the CI that waits for it.
timeout --kill-after=30 "$((60 + ${CAMPAIGN_MINUTES:-0}))m" npx vitest run --config test/e2e/vitest.config.ts --coverage "$@" || status=$?
node scripts/count-tests.mjs coverage/e2e-results.json
exit "$status"
