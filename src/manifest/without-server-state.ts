import type { KubernetesObject, ObjectMeta } from './types.ts';

/** An object without what the server keeps about it and nobody deploys; a Secret's `stringData` is in its `data`. */
export function withoutServerState(object: KubernetesObject): KubernetesObject {
  const { status: _status, metadata, ...fields } = isSecret(object) ? withoutStringData(object) : object;
  return { ...fields, metadata: meaningfulMetadata(metadata) } as KubernetesObject;
}

const bookkeeping = ['managedFields', 'resourceVersion', 'uid', 'generation', 'creationTimestamp', 'selfLink'];
/** What `kubectl apply` notes down: the whole object once more, Secrets too. */
const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function meaningfulMetadata(metadata: ObjectMeta): ObjectMeta {
  const kept = Object.entries(metadata).filter(([key]) => !bookkeeping.includes(key));
  const { annotations, ...others } = Object.fromEntries(kept) as ObjectMeta;
  if (annotations?.[lastApplied] === undefined) return { ...others, ...(annotations && { annotations }) };
  const { [lastApplied]: _noted, ...rest } = annotations;
  return Object.keys(rest).length === 0 ? others : { ...others, annotations: rest };
}

export const isSecret = ({ apiVersion, kind }: { apiVersion: string; kind: string }): boolean =>
  apiVersion === 'v1' && kind === 'Secret';

/** The server moves each entry of `stringData` into `data`; the same is done here for what it has not seen. */
function withoutStringData(secret: KubernetesObject): KubernetesObject {
  const { stringData, ...others } = secret;
  if (typeof stringData !== 'object' || stringData === null) return others as KubernetesObject;
  const encoded = Object.entries(stringData).map(([key, value]) => [key, encodedText(value)]);
  return {
    ...others,
    data: { ...(secret['data'] as object | undefined), ...Object.fromEntries(encoded) },
  } as KubernetesObject;
}

const encodedText = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value ?? ''), 'utf8').toString('base64');
