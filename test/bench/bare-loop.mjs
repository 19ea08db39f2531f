// The bound of `npm run bench deploying`: the requests that a deploy of ConfigMaps cannot do without, by node:https alone.
//   node bare-loop.mjs SERVER TOKEN NAMESPACE RELEASE REVISION COUNT
import https from 'node:https';

const [server, token, namespace, release, revision, count] = process.argv.slice(2);
const concurrency = 16;
const agent = new https.Agent({ keepAlive: true, maxSockets: concurrency, rejectUnauthorized: false });
const inNamespace = `/api/v1/namespaces/${namespace}`;
const recordName = `sh.helm.release.v1.${release}.v${revision}`;

await Promise.all(['/version', '/api', '/apis', `${inNamespace}/secrets`].map((path) => send('GET', path)));
await send('GET', `${inNamespace}/configmaps?limit=500`);
if (revision === '1')
  await apply('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await send('POST', `${inNamespace}/secrets`, record('pending'));
const maps = Array.from({ length: Number(count) }, (_, index) => configMap(index));
await inTurn(maps, (map) => apply(`${inNamespace}/configmaps`, map));
await send('PUT', `${inNamespace}/secrets/${recordName}`, record('deployed'));
agent.destroy();

function configMap(index) {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: `${release}-${index}`,
      namespace,
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace },
    },
    data: { value: `${revision}-${index}` },
  };
}

function record(status) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: recordName, namespace, labels: { owner: 'helm', name: release, status, version: revision } },
    type: 'helm.sh/release.v1',
    data: { release: Buffer.alloc(12_000, 'r').toString('base64') },
  };
}

async function inTurn(items, task) {
  const waiting = [...items];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) await task(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function apply(collection, object) {
  const path = `${collection}/${object.metadata.name}?fieldManager=helm&fieldValidation=Strict`;
  return send('PATCH', path, object, 'application/apply-patch+yaml');
}

function send(method, path, body, contentType = 'application/json') {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text !== undefined && { 'content-type': contentType, 'content-length': Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const request = https.request(server + path, { method, agent, headers }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        if (answer.statusCode < 400) resolve();
        else reject(new Error(`${method} ${path} was answered with ${answer.statusCode}`));
      });
    });
    request.on('error', reject);
    request.end(text);
  });
}
