import type { Cluster, ResourceMapping } from '../../cluster/types.ts';
import { defaultConcurrency } from '../../execute/context.ts';
import type { RecordKind } from '../../release/record.ts';
import { createLimiter } from '../../support/concurrency.ts';
import { groupBy } from '../../support/group-by.ts';
import type { Finding } from './finding.ts';

/** What rights are for, how bad it is to be without them, and what happens then. */
const purposes = {
  records: { level: 'error', text: 'the records of releases', without: undefined },
  objects: { level: 'error', text: 'objects', without: undefined },
  locks: { level: 'warning', text: 'locks', without: 'only the pending record keeps two runs apart' },
  pods: { level: 'warning', text: 'pods', without: 'a run cannot say why a workload does not become ready' },
  watches: { level: 'note', text: 'watches', without: 'waiting reads each object again and again' },
  causes: { level: 'note', text: 'events and logs', without: 'fewer causes of a failure can be named' },
} as const satisfies Record<string, { level: Finding['level']; text: string; without: string | undefined }>;

type Purpose = keyof typeof purposes;

/** Verbs on one resource, for one purpose. */
export interface Right {
  readonly purpose: Purpose;
  readonly group: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  readonly verbs: readonly string[];
  /** Of the cluster, and of no namespace. */
  readonly isClusterWide: boolean;
}

const inNamespace = (purpose: Purpose, group: string, resource: string, verbs: string): Right => ({
  purpose,
  group,
  resource,
  verbs: verbs.split(' '),
  isClusterWide: false,
});

/** What install, upgrade, rollback, uninstall, test, status and history need, with objects of these kinds (docs/recovery.md). */
export const neededRights = (
  kinds: readonly ResourceMapping[],
  recordKind: RecordKind | undefined,
): readonly Right[] => [
  ...(recordKind === undefined
    ? []
    : [inNamespace('records', '', `${recordKind.toLowerCase()}s`, 'get list create update delete')]),
  inNamespace('locks', 'coordination.k8s.io', 'leases', 'get create update delete'),
  ...kinds.flatMap(({ group, plural, namespaced }): Right[] => {
    const of = { group, resource: plural, isClusterWide: !namespaced };
    return [
      { ...of, purpose: 'objects', verbs: ['get', 'create', 'patch', 'delete'] },
      { ...of, purpose: 'watches', verbs: ['list', 'watch'] },
    ];
  }),
  inNamespace('pods', '', 'pods', 'get list'),
  inNamespace('causes', '', 'events', 'list watch'),
  inNamespace('causes', '', 'pods/log', 'get'),
];

/** The rights that the API server says are missing, asked one by one. Errors: those of the cluster. */
export async function missingRights(
  cluster: Cluster,
  namespace: string,
  needed: readonly Right[],
): Promise<readonly Right[]> {
  const limit = createLimiter(defaultConcurrency);
  const asked = needed.map(async (right) => {
    const allowed = await Promise.all(
      right.verbs.map((verb) => limit(() => isAllowed(cluster, namespace, right, verb))),
    );
    return { ...right, verbs: right.verbs.filter((_verb, index) => !allowed[index]) };
  });
  return (await Promise.all(asked)).filter(({ verbs }) => verbs.length > 0);
}

async function isAllowed(cluster: Cluster, namespace: string, right: Right, verb: string): Promise<boolean> {
  const [resource = '', subresource] = right.resource.split('/');
  const attributes = { verb, group: right.group, resource, subresource };
  const review = await cluster.create({
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    metadata: { name: '' },
    spec: { resourceAttributes: right.isClusterWide ? attributes : { ...attributes, namespace } },
  });
  return (review['status'] as { readonly allowed?: boolean } | undefined)?.allowed === true;
}

/** One finding for each purpose that something is missing for, or one that says that all is there. */
export function permissionFindings(missing: readonly Right[], namespace: string): readonly Finding[] {
  if (missing.length === 0)
    return [{ area: 'rights', level: 'ok', text: `all that deploys need in namespace ${namespace}` }];
  const byPurpose = [...groupBy(missing, ({ purpose }) => purpose)];
  return byPurpose.map(([purpose, rights], index): Finding => {
    const { level, text, without } = purposes[purpose];
    const consequence = without === undefined ? '' : `; without them, ${without}`;
    return {
      area: 'rights',
      level,
      text: `missing for ${text}: ${rightsText(rights)}${consequence}`,
      ...(index === 0 && { remedy: 'print-role' as const }),
    };
  });
}

/** `get, list secrets, configmaps; create jobs.batch`: what lacks the same verbs stands together. */
const rightsText = (rights: readonly Right[]): string =>
  [...groupBy(rights, ({ verbs }) => verbs.join(', '))]
    .map(([verbs, same]) => `${verbs} ${same.map(resourceText).join(', ')}`)
    .join('; ');

const resourceText = ({ resource, group }: Right): string => (group === '' ? resource : `${resource}.${group}`);

/** A Role with all these rights and, where some are of the cluster, a ClusterRole. */
export function rolesWith(rights: readonly Right[], namespace: string): readonly object[] {
  const own = rights.filter(({ isClusterWide }) => !isClusterWide);
  const wide = rights.filter(({ isClusterWide }) => isClusterWide);
  const role = { ...roleHead('Role'), metadata: { name: 'deployer', namespace }, rules: rulesOf(own) };
  return wide.length === 0
    ? [role]
    : [role, { ...roleHead('ClusterRole'), metadata: { name: `${namespace}-deployer` }, rules: rulesOf(wide) }];
}

const roleHead = (kind: string) => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind });

/** A rule for each resource: what several purposes ask of it together. */
const rulesOf = (rights: readonly Right[]) =>
  [...groupBy(rights, ({ group, resource }) => JSON.stringify([group, resource])).values()].map((same) => ({
    apiGroups: [same[0]?.group ?? ''],
    resources: [same[0]?.resource ?? ''],
    verbs: [...new Set(same.flatMap(({ verbs }) => verbs))],
  }));
