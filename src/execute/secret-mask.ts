import { parseManifest } from '../manifest/parse.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { manifestsOf } from '../plan/arrange.ts';
import type { Plan } from '../plan/types.ts';

const shownInstead = '***';
/** Shorter ones would hit words that are no secrets. */
const leastLength = 6;

/** Takes the values of the plan's own Secrets out of texts that come from the cluster: logs, events, messages. */
export function secretMask(plan: Plan): (text: string) => string {
  const values = [...new Set(objectsOf(plan).flatMap(valuesIn))].sort((a, b) => b.length - a.length);
  return (text) => values.reduce((masked, value) => masked.replaceAll(value, shownInstead), text);
}

const objectsOf = ({ steps }: Plan): readonly KubernetesObject[] =>
  steps.flatMap((step) => {
    if (step.kind === 'apply') return manifestsOf(step.unit).map(({ object }) => object);
    if (step.kind !== 'run-hooks') return [];
    return step.batches.flat(2).map((hook) => parseManifest(hook.manifest, hook.path).object);
  });

/** Each value as it is, line by line, and as it is encoded. */
function valuesIn(object: KubernetesObject): string[] {
  const items = object['items'];
  if (Array.isArray(items)) return (items as KubernetesObject[]).flatMap(valuesIn);
  if (object.kind !== 'Secret') return [];
  const encoded = textsOf(object['data']);
  const plain: readonly string[] = [
    ...textsOf(object['stringData']),
    ...encoded.map((text) => Buffer.from(text, 'base64').toString('utf8')),
  ];
  return [...encoded, ...plain.flatMap((text) => [text, ...text.split('\n')])]
    .map((text) => text.trim())
    .filter((text) => text.length >= leastLength);
}

const textsOf = (map: unknown): readonly string[] =>
  typeof map === 'object' && map !== null ? Object.values(map).filter((value) => typeof value === 'string') : [];
