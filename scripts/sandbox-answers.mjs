// Records what a real API server answers to the requests of test/sandbox/fixtures/*.json, into those files.
//   NODE_TLS_REJECT_UNAUTHORIZED=0 node scripts/sandbox-answers.mjs https://127.0.0.1:16443 e2e-admin
import { readFileSync, writeFileSync } from 'node:fs';

/** Files that are about refusals and warnings alone. */
const brief = new Set(['policies', 'custom-rules', 'pod-security', 'quota-scopes', 'rare-kinds']);

const [server, token, ...only] = process.argv.slice(2);
for (const name of only.length > 0
  ? only
  : ['refusals', 'apply', 'admission', 'policies', 'custom-rules', 'pod-security', 'quota-scopes', 'rare-kinds']) {
  const file = new URL(`../test/sandbox/fixtures/${name}.json`, import.meta.url);
  const requests = JSON.parse(readFileSync(file, 'utf8'));
  for (const request of requests)
    Object.assign(request, { warnings: undefined }, await answerTo(request, brief.has(name)));
  writeFileSync(file, `${JSON.stringify(requests, null, 1)}\n`);
}

async function answerTo({ method, path, type, body }, isBrief) {
  const response = await fetch(server + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': type, 'user-agent': 'probe/1' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  await new Promise((resolve) => setTimeout(resolve, settlingMs(path)));
  const warnings = response.headers.get('warning');
  return {
    code: response.status,
    ...(warnings === null ? {} : { warnings }),
    ...(isBrief && response.ok ? {} : { answer: text.startsWith('{') ? JSON.parse(text) : text }),
  };
}

/** A new CustomResourceDefinition is served a moment later; a namespace gets its account, a quota is counted, a policy is bound then. */
function settlingMs(path) {
  if (path.endsWith('validatingadmissionpolicybindings')) return 300;
  return /customresourcedefinitions|\/(namespaces|resourcequotas|limitranges)$/.test(path) ? 1500 : 0;
}
