import type { Cluster } from '../cluster/types.ts';

/**
 * A cluster that takes nothing but questions, and dry runs, which the API server answers and does not store. That a reading
 * tool sends a change is a mistake in tshelm: it fails before anything is sent.
 */
export function readOnly(cluster: Cluster): Cluster {
  const asked = <Answer>(
    options: { readonly dryRun?: boolean | undefined } | undefined,
    ask: () => Promise<Answer>,
  ) => {
    if (options?.dryRun === true) return ask();
    return Promise.reject(new Error('internal: a reading tool tried to change the cluster'));
  };
  const writes: Pick<Cluster, 'apply' | 'create' | 'delete' | 'patch' | 'replace'> = {
    apply: (object, options) => asked(options, () => cluster.apply(object, options)),
    create: (object, options) => asked(options, () => cluster.create(object, options)),
    delete: (id, options) => asked(options, () => cluster.delete(id, options)),
    patch: (id, type, patch, options) => asked(options, () => cluster.patch(id, type, patch, options)),
    replace: (object, options) => asked(options, () => cluster.replace(object, options)),
  };
  return new Proxy(cluster, {
    get(target, name) {
      if (Object.hasOwn(writes, name)) return writes[name as keyof typeof writes];
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}
