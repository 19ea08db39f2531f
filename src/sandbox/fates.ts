/**
 * What annotations can make of a pod. `ok`: it becomes ready, or completes when it belongs to a Job. `crash-until-ready`:
 * so does it when the hosts that it names are ready, and crashes until then.
 */
export const fates = [
  'ok',
  'complete',
  'fail',
  'image-pull',
  'crash-loop',
  'crash-until-ready',
  'hang',
  'config-error',
  'init-fail',
  'unschedulable',
  'probe-fail',
  'oom',
] as const;
export type Fate = (typeof fates)[number];

/** Whether a fate leaves its workload unready for ever. */
export const isFailure = (fate: Fate): boolean => !['ok', 'complete', 'crash-until-ready'].includes(fate);

/** Of the annotations that the sandbox heeds. */
export const annotationPrefixes = ['sandbox.tshelm.dev/', 'e2e.tshelm.dev/'];

/** Whether the sandbox will set a status of an object whose kind has no controller here. */
export const announcesStatus = ({ metadata }: Annotated): boolean =>
  annotationPrefixes.some((prefix) => metadata?.annotations?.[`${prefix}status`] !== undefined);

interface Annotated {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> | null | undefined } | undefined;
}

/** The annotations that hold a {@link Fate}. */
export const fateAnnotations: ReadonlySet<string> = new Set(annotationPrefixes.map((prefix) => `${prefix}fate`));
