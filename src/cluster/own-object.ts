import type { KubernetesObject } from '../manifest/types.ts';

/** An attempt to create an object that got no answer, and a later one that met an object of that name. */
export interface DoubtfulCreate {
  readonly sent: KubernetesObject;
  readonly fieldManager: string;
  /** How long before `answeredAt` the first attempt was made. */
  readonly inDoubtForMs: number;
  /** The time of the later answer by the server's own clock, which is compared with itself; undefined if it is unknown. */
  readonly answeredAt: string | undefined;
}

/**
 * Whether a live object is the one that was sent, and not somebody else's of the same name: created since the first
 * attempt by the same field manager, with the labels and annotations that were sent, and with the data of a Secret or
 * ConfigMap. The rest is not compared: the server completes it and writes it in its own way.
 */
export function isOwnObject(live: KubernetesObject, doubt: DoubtfulCreate): boolean {
  const { sent } = doubt;
  return (
    isCreatedSince(live, doubt) &&
    isWrittenBy(live, doubt.fieldManager) &&
    holds(live.metadata.labels, sent.metadata.labels) &&
    holds(live.metadata.annotations, sent.metadata.annotations) &&
    holds(live['data'], sent['data'])
  );
}

// Both times are cut to whole seconds.
const precisionMs = 1_000;

function isCreatedSince({ metadata }: KubernetesObject, { inDoubtForMs, answeredAt }: DoubtfulCreate): boolean {
  const created = Date.parse(metadata.creationTimestamp ?? '');
  const answered = Date.parse(answeredAt ?? '');
  return created >= answered - inDoubtForMs - precisionMs;
}

function isWrittenBy({ metadata }: KubernetesObject, fieldManager: string): boolean {
  const entries = (metadata.managedFields ?? []) as readonly { readonly manager?: string }[];
  return entries.length === 0 || entries.some(({ manager }) => manager === fieldManager);
}

function holds(live: unknown, sent: unknown): boolean {
  const texts = (live ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(sent ?? {}).every(([key, value]) => texts[key] === value);
}
