import { compareText } from '../../../../support/order.ts';
import type { Container, Pod } from '../../../kubernetes.ts';

/** A pod, or what a workload makes its pods of. */
export type PodLike = Pick<Pod, 'spec'> & {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
};
export type SecurityContext = NonNullable<Container['securityContext']>;

/** The containers in the order in which Kubernetes' checks visit them. */
export const containersOf = ({ spec }: PodLike): Container[] => [
  ...(spec?.initContainers ?? []),
  ...(spec?.containers ?? []),
  ...((spec?.ephemeralContainers ?? []) as Container[]),
];

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ');

/** `container "a"`, `containers "a", "b"` */
export const named = (word: string, names: readonly string[]): string =>
  `${plural(word, names.length)} ${quoted(names)}`;

export const plural = (word: string, count: number): string => (count === 1 ? word : `${word}s`);

export const namesOf = (containers: readonly Container[]): string[] => containers.map(({ name = '' }) => name);

/** Each text once, in order. */
export const distinct = (texts: readonly string[]): string[] => [...new Set(texts)].sort(compareText);

export const listed = (texts: readonly string[]): string => quoted(distinct(texts));

/** Who sets something bad: `pod and containers "a", "b"`. */
export interface Setters<T> {
  readonly who: string;
  readonly values: readonly T[];
}

/** The bad values of a field of the security contexts of the pod and its containers; undefined where none is bad. */
export function badSetters<T>(
  pod: PodLike,
  valueOf: (context: Partial<SecurityContext>) => T | undefined,
  isBad: (value: T) => boolean,
): Setters<T> | undefined {
  const bad = (context: object | undefined): T | undefined => {
    const value = context && valueOf(context);
    return value !== undefined && value !== null && isBad(value) ? value : undefined;
  };
  const ofPod = bad(pod.spec?.securityContext);
  const containers = containersOf(pod).filter(({ securityContext }) => bad(securityContext) !== undefined);
  const who = [
    ...(ofPod === undefined ? [] : ['pod']),
    ...(containers.length === 0 ? [] : [named('container', namesOf(containers))]),
  ];
  const values = [ofPod, ...containers.map(({ securityContext }) => bad(securityContext))];
  return who.length === 0
    ? undefined
    : { who: who.join(' and '), values: values.filter((one): one is Awaited<T> & T => one !== undefined) };
}
