import type { Cluster, Fence } from './types.ts';

/** The same cluster, whose changes are sent only while the fence allows it. */
export function fenced(cluster: Cluster, fence: Fence): Cluster {
  return {
    namespace: cluster.namespace,
    timers: cluster.timers,
    mayReport: cluster.mayReport,
    version: (options) => cluster.version(options),
    resources: (options) => cluster.resources(options),
    mapping: (apiVersion, kind, options) => cluster.mapping(apiVersion, kind, options),
    get: (id, options) => cluster.get(id, options),
    list: (apiVersion, kind, options) => cluster.list(apiVersion, kind, options),
    pages: (apiVersion, kind, options) => cluster.pages(apiVersion, kind, options),
    table: (id, options) => cluster.table(id, options),
    watch: (apiVersion, kind, options) => cluster.watch(apiVersion, kind, options),
    logs: (pod, options) => cluster.logs(pod, options),
    logLines: (pod, options) => cluster.logLines(pod, options),
    create: (object, options) => cluster.create(object, { ...options, fence }),
    replace: (object, options) => cluster.replace(object, { ...options, fence }),
    apply: (object, options) => cluster.apply(object, { ...options, fence }),
    patch: (id, type, patch, options) => cluster.patch(id, type, patch, { ...options, fence }),
    delete: (id, options) => cluster.delete(id, { ...options, fence }),
    serverTime: () => cluster.serverTime?.(),
    limitAbsence: (limitMs) => cluster.limitAbsence?.(limitMs) ?? (() => {}),
    close: () => cluster.close(),
  };
}
