import type { CallOptions, Cluster } from '../cluster/types.ts';

/** Where the methods of a cluster take their options. */
const optionsAt: ReadonlyMap<PropertyKey, number> = new Map<keyof Cluster, number>([
  ['version', 0],
  ['resources', 0],
  ['get', 1],
  ['table', 1],
  ['create', 1],
  ['replace', 1],
  ['apply', 1],
  ['delete', 1],
  ['logs', 1],
  ['logLines', 1],
  ['mapping', 2],
  ['list', 2],
  ['pages', 2],
  ['watch', 2],
  ['patch', 3],
]);

/** A cluster whose requests end with a signal, unless they are given another one. */
export const underSignal = (cluster: Cluster, signal: AbortSignal): Cluster =>
  new Proxy(cluster, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      const at = optionsAt.get(name);
      return (...given: unknown[]): unknown => {
        if (at !== undefined) {
          const options = given[at] as CallOptions | undefined;
          given[at] = { ...options, signal: options?.signal ?? signal };
        }
        return Reflect.apply(member, target, given);
      };
    },
  });
