// The bound of `npm run bench plans`: the server-side dry runs of a plan, by node:https alone.
//   node bare-dry-runs.mjs SERVER TOKEN NAMESPACE RELEASE VERSION COUNT
import { bareClient } from './bare-client.mjs';
import { mixedObjects } from './plans.mjs';

const [server, token, namespace, release, version, count] = process.argv.slice(2);
const { send, inTurn, close } = bareClient(server, token);
const owner = {
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
  annotations: { 'meta.helm.sh/release-name': release, 'meta.helm.sh/release-namespace': namespace },
};
const objects = Array.from({ length: Number(count) / 5 }, (_, index) => mixedObjects(`${release}-${index}`, version));

await inTurn(objects.flat(), async (object) => {
  const { metadata } = object;
  const owned = {
    ...object,
    metadata: { ...metadata, ...owner, labels: { ...metadata.labels, ...owner.labels }, namespace },
  };
  await send('PATCH', `${pathOf(object)}?dryRun=All&fieldManager=helm&fieldValidation=Strict`, {
    body: owned,
    contentType: 'application/apply-patch+yaml',
  });
});
close();

function pathOf({ apiVersion, kind, metadata: { name } }) {
  const group = apiVersion === 'v1' ? '/api/v1' : `/apis/${apiVersion}`;
  return `${group}/namespaces/${namespace}/${kind.toLowerCase()}s/${name}`;
}
