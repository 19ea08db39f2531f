import type { Admin } from './namespaces.ts';

/**
 * A Deployment whose pod is ready after two seconds, or what `global.ready` or `global.after.NAME` says, and gone at once
 * or after `global.gone`.
 */
export const workload = (name: string, annotations = ''): string => `{{- if not .Values.global.removed }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
  annotations: {${annotations}}
spec:
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata:
      labels: {app: ${name}, tag: {{ .Values.global.tag | quote }}}
      annotations:
        e2e.tshelm.dev/ready-after: {{ dig "after" "${name}" (default "2s" .Values.global.ready) .Values.global }}
        e2e.tshelm.dev/gone-after: {{ default "0s" .Values.global.gone }}
    spec: {containers: [{name: main, image: example.com/main:{{ .Values.global.tag }}}]}
{{- end }}
`;
/** When something began and was ready, in seconds since the epoch, as the API server notes it. */
export interface Life {
  readonly name: string;
  readonly began: number;
  readonly ready: number;
}

export const seconds = (text: unknown): number => Date.parse(String(text)) / 1000;

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime: string;
}

/** The pods of one version, by their app. */
export async function podLives(admin: Admin, tag: string): Promise<readonly Life[]> {
  const { namespace } = admin;
  const pods = await admin.cluster().list('v1', 'Pod', { namespace, labelSelector: `tag=${tag}` });
  return pods.map(({ metadata, status }) => {
    const { conditions } = status as { readonly conditions: readonly Condition[] };
    const ready = conditions.find((condition) => condition.type === 'Ready' && condition.status === 'True');
    const name = metadata.labels?.['app'] as string;
    return { name, began: seconds(metadata.creationTimestamp), ready: seconds(ready?.lastTransitionTime) };
  });
}

/** Deployments from their own creation to their pods' readiness. */
export async function deploymentLives(admin: Admin, tag: string): Promise<readonly Life[]> {
  const created = new Map(
    (await admin.cluster().list('apps/v1', 'Deployment', { namespace: admin.namespace })).map(({ metadata }) => [
      metadata.name,
      seconds(metadata.creationTimestamp),
    ]),
  );
  return (await podLives(admin, tag)).map((life) => ({ ...life, began: created.get(life.name) as number }));
}

/** What began before all of what began earlier was ready stands in the same batch. */
export function batchesOf(lives: readonly Life[]): readonly (readonly string[])[] {
  const batches: Life[][] = [];
  for (const life of [...lives].sort((a, b) => a.began - b.began)) {
    const last = batches.at(-1);
    if (last === undefined || last.every(({ ready }) => ready <= life.began)) batches.push([life]);
    else last.push(life);
  }
  return batches.map((batch) => batch.map(({ name }) => name).sort());
}

/** The Deployments that go while `task` runs, in their order. */
export async function deletedDuring(
  admin: Admin,
  task: () => Promise<unknown>,
  count: number,
): Promise<readonly string[]> {
  const { namespace } = admin;
  const stop = new AbortController();
  const gone: string[] = [];
  let synced = (): void => {};
  const isSynced = new Promise<void>((resolve) => (synced = resolve));
  const watching = (async () => {
    for await (const event of admin.cluster().watch('apps/v1', 'Deployment', { namespace, signal: stop.signal })) {
      if (event.kind === 'synced') synced();
      if (event.kind === 'gone' && gone.push(event.object.metadata.name) === count) stop.abort();
    }
  })();
  await isSynced;
  await task();
  await watching;
  return gone;
}

/** A sequence cut into batches of these sizes, each sorted. */
export const inBatches = (
  names: readonly string[],
  batches: readonly (readonly string[])[],
): readonly (readonly string[])[] => {
  let start = 0;
  return batches.map(({ length }) => names.slice(start, (start += length)).sort());
};
