// The bound of `npm run bench deploying`: the requests that a deploy of ConfigMaps cannot do without, by node:https alone.
//   node bare-loop.mjs SERVER TOKEN NAMESPACE RELEASE REVISION COUNT
import { bareClient } from './bare-client.mjs';

const [server, token, namespace, release, revision, count] = process.argv.slice(2);
const { send, apply, inTurn, close } = bareClient(server, token);
const inNamespace = `/api/v1/namespaces/${namespace}`;
const recordName = `sh.helm.release.v1.${release}.v${revision}`;

await Promise.all(['/version', '/api', '/apis', `${inNamespace}/secrets`].map((path) => send('GET', path)));
await send('GET', `${inNamespace}/configmaps?limit=500`);
if (revision === '1') await apply(inNamespace, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
await send('POST', `${inNamespace}/secrets`, { body: record('pending') });
const maps = Array.from({ length: Number(count) }, (_, index) => configMap(index));
await inTurn(maps, (map) => apply(`${inNamespace}/configmaps/${map.metadata.name}`, map));
await send('PUT', `${inNamespace}/secrets/${recordName}`, { body: record('deployed') });
close();

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
