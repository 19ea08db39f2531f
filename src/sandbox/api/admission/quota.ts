import { quantityOf } from '../../../go/quantity.ts';
import { compareText } from '../../../support/order.ts';
import { type Kind, storageKey } from '../../kinds/kind.ts';
import {
  type Container,
  isFinished,
  type PersistentVolumeClaim,
  type Pod,
  type ResourceQuota,
  type Service,
} from '../../kubernetes.ts';
import type { Resource } from '../../resource.ts';
import { forbidden, qualified } from '../../status.ts';
import { matchesLabelSelector } from '../../store/selectors.ts';
import type { Environment } from '../environment.ts';

/** Amounts by what a quota calls them: `pods`, `requests.cpu`, `count/secrets`. */
type Usage = Readonly<Record<string, number>>;

/** 403 where a new object would exceed a ResourceQuota of its namespace (plugin/resourcequota/controller.go). */
export function admitByQuotas(environment: Environment, kind: Kind, object: Resource): void {
  const { namespace, name } = object.metadata;
  for (const quota of environment.store.list('/resourcequotas', namespace) as ResourceQuota[]) {
    if (!counts(quota, kind, object)) continue;
    const hard = hardOf(quota);
    const unsaid = kind.kind === 'Pod' ? unspecified(object, hard) : [];
    if (unsaid.length > 0)
      throw forbidden(kind, name, `failed quota: ${quota.metadata.name}: must specify ${unsaid.join('; ')}`);
    const asked = usageOf(kind, object);
    const limited = Object.keys(hard).filter((key) => (asked[key] ?? 0) > 0);
    if (limited.length === 0) continue;
    const used = usedBy(environment, quota);
    const exceeded = limited
      .filter((key) => (used[key] ?? 0) + (asked[key] ?? 0) > (quantityOf(hard[key]) ?? 0))
      .sort();
    if (exceeded.length === 0) continue;
    const list = (valueOf: (key: string) => string): string =>
      exceeded.map((key) => `${key}=${valueOf(key)}`).join(',');
    const amounts = [
      `requested: ${list((key) => shownAmount(key, asked[key]))}`,
      `used: ${list((key) => shownAmount(key, used[key]))}`,
      `limited: ${list((key) => hard[key] ?? '')}`,
    ];
    throw forbidden(kind, name, `exceeded quota: ${quota.metadata.name}, ${amounts.join(', ')}`);
  }
}

/** Whether a quota counts an object: one with scopes counts the pods that are in all of them. */
function counts({ spec }: ResourceQuota, kind: Kind, object: Resource): boolean {
  const scopes: Scope[] = [
    ...(spec?.scopes ?? []).map((scopeName) => ({ scopeName, operator: 'Exists' })),
    ...(spec?.scopeSelector?.matchExpressions ?? []),
  ];
  if (scopes.length === 0) return true;
  return kind.group === '' && kind.kind === 'Pod' && scopes.every((scope) => isInScope(object, scope));
}

interface Scope {
  readonly scopeName?: string | undefined;
  readonly operator?: string | undefined;
  readonly values?: readonly string[] | undefined;
}

/** quota/v1/evaluator/core/pods.go, podMatchesScopeFunc */
function isInScope({ spec, status }: Pod, { scopeName, operator, values = [] }: Scope): boolean {
  switch (scopeName) {
    case 'Terminating':
      return spec?.activeDeadlineSeconds !== undefined;
    case 'NotTerminating':
      return spec?.activeDeadlineSeconds === undefined;
    case 'BestEffort':
      return status?.qosClass === 'BestEffort';
    case 'NotBestEffort':
      return status?.qosClass !== 'BestEffort';
    case 'PriorityClass':
      return matchesLabelSelector(
        { matchExpressions: [{ key: scopeName, operator, values: [...values] }] },
        spec?.priorityClassName ? { [scopeName]: spec.priorityClassName } : {},
      );
    case 'CrossNamespacePodAffinity':
      return [spec?.affinity?.podAffinity, spec?.affinity?.podAntiAffinity].some((affinity) =>
        [
          ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
          ...(affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((one) => one.podAffinityTerm),
        ].some((term) => (term?.namespaces ?? []).length > 0 || term?.namespaceSelector !== undefined),
      );
    default:
      return false;
  }
}

export const hardOf = ({ spec }: ResourceQuota): Readonly<Record<string, string>> =>
  (spec?.hard ?? {}) as Readonly<Record<string, string>>;

/** What is used of a quota now. */
export function usedBy({ store, kinds }: Environment, quota: ResourceQuota): Usage {
  const used: Record<string, number> = Object.fromEntries(Object.keys(hardOf(quota)).map((key) => [key, 0]));
  for (const key of store.storageKeys()) {
    const kind = kinds.byStorageKey(key);
    if (kind === undefined || !kind.namespaced) continue;
    for (const object of store.values(storageKey(kind), quota.metadata.namespace)) {
      if (!counts(quota, kind, object)) continue;
      for (const [name, amount] of Object.entries(usageOf(kind, object)))
        if (name in used) used[name] = (used[name] ?? 0) + amount;
    }
  }
  return used;
}

function usageOf(kind: Kind, object: Resource): Usage {
  const counted = { [`count/${qualified(kind)}`]: 1, ...(kind.group === '' && { [kind.plural]: 1 }) };
  switch (kind.group === '' ? kind.kind : '') {
    case 'Pod':
      return isFinished(object) ? { [`count/${kind.plural}`]: 1 } : { ...counted, ...usageOfPod(object) };
    case 'PersistentVolumeClaim':
      return { ...counted, ...usageOfClaim(object) };
    case 'Service':
      return { ...counted, ...usageOfService(object) };
    default:
      return counted;
  }
}

function usageOfService({ spec }: Service): Usage {
  const ports = spec?.type === 'NodePort' || spec?.type === 'LoadBalancer' ? (spec.ports ?? []).length : 0;
  return { 'services.nodeports': ports, 'services.loadbalancers': spec?.type === 'LoadBalancer' ? 1 : 0 };
}

function usageOfClaim({ spec }: PersistentVolumeClaim): Usage {
  const storage = quantityOf(spec?.resources?.requests?.['storage']) ?? 0;
  const ofClass = `${spec?.storageClassName}.storageclass.storage.k8s.io`;
  return {
    'requests.storage': storage,
    [`${ofClass}/requests.storage`]: storage,
    [`${ofClass}/persistentvolumeclaims`]: 1,
  };
}

function usageOfPod(pod: Pod): Usage {
  const requests = amountsOf(pod, 'requests');
  const named = (prefix: string, amounts: Usage): [string, number][] =>
    Object.entries(amounts).map(([name, amount]) => [`${prefix}${name}`, amount]);
  return Object.fromEntries([
    ...named('', requests),
    ...named('requests.', requests),
    ...named('limits.', amountsOf(pod, 'limits')),
  ]);
}

/** The containers' sum, or the largest init container where that is more; a sidecar counts among the containers. */
export function amountsOf({ spec }: Pod, of: 'requests' | 'limits'): Usage {
  const inits = spec?.initContainers ?? [];
  const isSidecar = ({ restartPolicy }: Container): boolean => restartPolicy === 'Always';
  const total: Record<string, number> = {};
  for (const [name, amount] of [...(spec?.containers ?? []), ...inits.filter(isSidecar)].flatMap((one) =>
    amountsIn(one, of),
  ))
    total[name] = (total[name] ?? 0) + amount;
  for (const [name, amount] of inits.filter((one) => !isSidecar(one)).flatMap((one) => amountsIn(one, of)))
    total[name] = Math.max(total[name] ?? 0, amount);
  return total;
}

const amountsIn = ({ resources }: Container, of: 'requests' | 'limits'): [string, number][] =>
  Object.entries(resources?.[of] ?? {}).map(([name, text]) => [name, quantityOf(text) ?? 0]);

const computed = ['cpu', 'limits.cpu', 'limits.memory', 'memory', 'requests.cpu', 'requests.memory'];

/** What a quota limits must be said of each container: `limits.memory for: web`. */
function unspecified({ spec }: Pod, hard: Readonly<Record<string, string>>): string[] {
  const containers = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])];
  return computed.flatMap((key) => {
    if (!(key in hard)) return [];
    const [of, resource] = key.startsWith('limits.')
      ? (['limits', key.slice(7)] as const)
      : (['requests', key.replace('requests.', '')] as const);
    const silent = containers.filter(({ resources }) => resources?.[of]?.[resource] === undefined);
    return silent.length === 0
      ? []
      : [
          `${key} for: ${silent
            .map(({ name = '' }) => name)
            .sort(compareText)
            .join(',')}`,
        ];
  });
}

/** An amount as a quantity: processors in thousandths, memory and storage with the largest suffix that fits. */
export function shownAmount(key: string, amount = 0): string {
  if (/(^|\.)cpu$/.test(key)) return Number.isInteger(amount) ? String(amount) : `${Math.round(amount * 1000)}m`;
  const fits = ['Ki', 'Mi', 'Gi', 'Ti'].filter((_suffix, index) => amount > 0 && amount % 1024 ** (index + 1) === 0);
  return /(memory|storage)$/.test(key) && fits.length > 0
    ? `${amount / 1024 ** fits.length}${fits.at(-1)}`
    : String(amount);
}
