import type { AnsweredObject, Write } from '../../e2e/support/audit.ts';
import { versionKey } from './chart-files.ts';
import type { Wait } from './rules.ts';

// What the API server's audit log proves about an order. All functions take the writes since the release was begun, in order.

/** The part of a run that is judged: what came since `from` (milliseconds since the epoch). */
export interface Judged {
  readonly writes: readonly Write[];
  readonly from: number;
  /** Of the chart that was deployed; objects carry it as an annotation. */
  readonly version: number;
  /** What may be deleted once it is done. */
  readonly hooks: ReadonlySet<string>;
}

/** Of what waits for something: what was sent although that was not there, of this version, and ready. */
export function begunTooEarly(judged: Judged, waits: readonly Wait[]): readonly string[] {
  return waits.flatMap(([later, earlier]) => {
    const begun = firstSent(judged, later);
    if (begun === undefined) return [];
    const missing = whatMisses(judged, earlier, begun.at);
    return missing === undefined
      ? []
      : [`${later} was sent before ${earlier}, which it waits for, was ready: ${missing}`];
  });
}

/** What was sent before a Deployment that is outside of the release was available, in the part of the run that is judged. */
export function begunBeforeOutside(judged: Judged, ids: readonly string[], outside: string): readonly string[] {
  const ready = judged.writes.find(
    ({ at, object, conditions }) =>
      at >= judged.from && object === `deployments.apps/status/${outside}` && conditions.includes('Available'),
  );
  return ids.flatMap((id) => {
    const begun = firstSent(judged, id);
    const isEarly = begun !== undefined && (ready === undefined || begun.at < ready.at);
    return isEarly ? [`${id} was sent before ${outside}, which it needs, was ready`] : [];
  });
}

/** Of what is waited for: what was deleted while something that waits for it was still there, pods included. */
export function deletedTooEarly(
  { writes, from }: Pick<Judged, 'writes' | 'from'>,
  waits: readonly Wait[],
): readonly string[] {
  return waits.flatMap(([later, earlier]) => {
    const asked = writes.find((write) => write.at >= from && write.object === earlier && isDeletion(write));
    if (asked === undefined) return [];
    if (isThere(writes, later, asked.at))
      return [`${earlier} was deleted while ${later}, which waits for it, was there`];
    const pods = podsAlive(writes, later, asked.at);
    return pods.map((pod) => `${earlier} was deleted while ${pod} of ${later}, which waits for it, was there`);
  });
}

/** What tshelm wrote that is not of this release. */
export const strangers = (writes: readonly Write[], release: string): readonly string[] =>
  writes
    .filter(({ userAgent, isNamespaced }) => userAgent === 'tshelm' && isNamespaced)
    .filter(({ name }) => !isOf(name, release))
    .map(({ verb, object }) => `tshelm did ${verb} ${object}, which is not of the release ${release}`);

const isOf = (name: string, release: string): boolean =>
  name.startsWith(`${release}-`) || name.startsWith(`sh.helm.release.v1.${release}.v`) || name === `tshelm.${release}`;

const isSent = ({ verb, userAgent, code, resource }: Write): boolean =>
  userAgent === 'tshelm' && verb !== 'delete' && code < 300 && !resource.includes('/');
const isDeletion = ({ verb, userAgent, code }: Write): boolean =>
  userAgent === 'tshelm' && verb === 'delete' && code < 300;

const versionOf = (answer: AnsweredObject | undefined): string | undefined =>
  answer?.metadata?.annotations?.[versionKey];

/** The log does not hold what is answered to a Pod's creation: then its time tells. */
const firstSent = ({ writes, from, version }: Judged, id: string): Write | undefined =>
  writes.find(
    (write) =>
      write.at >= from &&
      write.object === id &&
      isSent(write) &&
      (write.answer === undefined || versionOf(write.answer) === String(version)),
  );

/** Resource and name without the subresource: `deployments.apps/status/web` is about `deployments.apps/web`. */
const idOf = ({ resource, name }: Write): string => `${resource.split('/')[0]}/${name}`;

/** Why something was not ready at a time; undefined when it was, at any time since it was sent last. */
function whatMisses({ writes, version, hooks }: Judged, id: string, at: number): string | undefined {
  const life = writes.filter((write) => write.at < at && write.code < 300 && idOf(write) === id);
  const sent = life.findLastIndex((write) => write.object === id && isSent(write));
  if (sent === -1) return 'it was not sent';
  const since = life.slice(sent);
  if (!hooks.has(id) && since.some(isDeletion)) return 'it was deleted';
  const versions = since.flatMap(({ answer }) => (answer === undefined ? [] : [versionOf(answer)]));
  if (!versions.includes(String(version))) return `it was of version ${versions.at(-1) ?? 'unknown'}, not ${version}`;
  if (id.startsWith('configmaps/')) return undefined;
  // tshelm asks for an answer without the status, so what was unchanged was last told of before.
  const { uid, generation = 0 } = life[sent]?.answer?.metadata ?? {};
  const told = life.flatMap(({ answer }, index) =>
    answer?.status !== undefined && (index >= sent || answer.metadata?.uid === uid) ? [{ answer, index }] : [],
  );
  const before = told.findLastIndex(({ index }) => index < sent);
  const judged = told.slice(Math.max(before, 0)).map(({ answer }) => answer);
  if (judged.some((answer) => isReady(id, answer, generation))) return undefined;
  return `generation ${generation}, ${JSON.stringify(judged.at(-1)?.status)}`;
}

/** `generation`: the one that was sent. */
function isReady(id: string, { spec, status = {} }: AnsweredObject, generation: number): boolean {
  const wanted = spec?.replicas ?? 1;
  const isObserved = Number(status['observedGeneration'] ?? 0) >= generation;
  switch (id.split('/')[0]) {
    case 'pods':
      return status['phase'] === 'Succeeded';
    case 'jobs.batch':
      return (status.conditions ?? []).some(({ type, status: is }) => type === 'Complete' && is === 'True');
    case 'deployments.apps':
      return (
        isObserved && ['replicas', 'updatedReplicas', 'availableReplicas'].every((count) => status[count] === wanted)
      );
    case 'statefulsets.apps':
      return isObserved && status['readyReplicas'] === wanted && status['currentRevision'] === status['updateRevision'];
    default:
      throw new Error(`internal: no rule of readiness for ${id}`);
  }
}

function isThere(writes: readonly Write[], id: string, at: number): boolean {
  const life = writes.filter((write) => write.at < at && write.object === id && (isSent(write) || isDeletion(write)));
  const last = life.at(-1);
  return last !== undefined && !isDeletion(last);
}

/** A pod was alive if it was seen before, and its end came after: its last deletion is its end. */
function podsAlive(writes: readonly Write[], owner: string, at: number): readonly string[] {
  const name = owner.slice(owner.indexOf('/') + 1);
  const ofPods = writes.filter(
    ({ resource, name: pod, code }) => resource.split('/')[0] === 'pods' && pod.startsWith(`${name}-`) && code < 300,
  );
  const seen = new Set(ofPods.filter((write) => write.at < at).map(({ name: pod }) => pod));
  const ended = ofPods.filter((write) => write.at > at && write.resource === 'pods' && write.verb === 'delete');
  return [...new Set(ended.map(({ name: pod }) => pod))].filter((pod) => seen.has(pod));
}
