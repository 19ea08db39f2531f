// The bound of `npm run bench stacks`: the requests that installing so many small releases cannot do without, by node:https
// alone, as many releases at a time as `tshelm stack` has.
//   node bare-stack-loop.mjs SERVER TOKEN NAMESPACE COUNT
import https from 'node:https';

const [server, token, namespace, count] = process.argv.slice(2);
const releasesAtOnce = 8;
const agent = new https.Agent({ keepAlive: true, rejectUnauthorized: false });
const core = `/api/v1/namespaces/${namespace}`;
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;

await apply('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await send('GET', `${core}/secrets?limit=500`);
const waiting = Array.from({ length: Number(count) }, (_, index) => `r${index}`);
const worker = async () => {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await install(name);
};
await Promise.all(Array.from({ length: releasesAtOnce }, worker));
agent.destroy();

/** A lock, the record, the objects, the record once more, and the lock gone. */
async function install(name) {
  const lock = `lock-${name}`;
  await send('POST', leases, { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: lock } });
  await send('POST', `${core}/secrets`, record(name, 'pending-install'));
  await Promise.all([
    apply(`${core}/configmaps`, object('ConfigMap', `${name}-map`, { data: { v: name } })),
    apply(
      `${core}/services`,
      object('Service', `${name}-service`, { spec: { ports: [{ port: 80 }], selector: { app: name } } }),
    ),
    apply(`${core}/serviceaccounts`, object('ServiceAccount', `${name}-account`, {})),
  ]);
  await send('PUT', `${core}/secrets/sh.helm.release.v1.${name}.v1`, record(name, 'deployed'));
  await send('DELETE', `${leases}/${lock}`);
}

function object(kind, name, content) {
  return {
    apiVersion: 'v1',
    kind,
    metadata: {
      name,
      labels: { 'app.kubernetes.io/managed-by': 'Helm' },
      annotations: { 'meta.helm.sh/release-name': name },
    },
    ...content,
  };
}

function record(name, status) {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: `sh.helm.release.v1.${name}.v1`, labels: { owner: 'helm', name, status, version: '1' } },
    type: 'helm.sh/release.v1',
    data: { release: Buffer.alloc(1500, 'r').toString('base64') },
  };
}

function apply(collection, body) {
  const path = `${collection}/${body.metadata.name}?fieldManager=helm&fieldValidation=Strict`;
  return send('PATCH', path, body, 'application/apply-patch+yaml');
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
