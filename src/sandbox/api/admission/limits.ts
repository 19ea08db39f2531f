import { quantityOf } from '../../../go/quantity.ts';
import { textMap } from '../../../support/json.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Container, LimitRange, PersistentVolumeClaim, Pod } from '../../kubernetes.ts';
import type { Resource } from '../../resource.ts';
import { forbidden } from '../../status.ts';
import type { Environment } from '../environment.ts';

type Quantities = Readonly<Record<string, string>>;

/** What something asks for, as limits of a type judge it. */
interface Asked {
  readonly requests: Quantities;
  readonly limits: Quantities;
}

type Limit = NonNullable<NonNullable<LimitRange['spec']>['limits']>[number] & { readonly default?: Quantities };

const limitsOf = ({ store }: Environment, namespace: string | undefined): Limit[] =>
  [...store.values('/limitranges', namespace)].flatMap((range: LimitRange) => range.spec?.limits ?? []);

/** A new pod or claim with the defaults of the namespace's LimitRanges; 403 where it breaks one (plugin/limitranger). */
export function admitByLimits(environment: Environment, kind: Kind, object: Resource): Resource {
  const limits = limitsOf(environment, object.metadata.namespace);
  if (limits.length === 0) return object;
  const admitted = kind.kind === 'Pod' ? withDefaults(object, limits) : object;
  const problems = limits.flatMap((limit) => breaches(limit, admitted));
  const name = object.metadata.generateName ?? object.metadata.name;
  const distinct = [...new Set(problems)];
  if (distinct.length > 0)
    throw forbidden(kind, name, distinct.length === 1 ? (distinct[0] ?? '') : `[${distinct.join(', ')}]`);
  return admitted;
}

function withDefaults(pod: Pod, all: readonly Limit[]): Resource {
  const limits = all.filter(({ type }) => type === 'Container');
  const maxima = limits.map(({ max, default: given }) => ({ ...max, ...given }));
  const defaults = {
    limits: Object.assign({}, ...maxima),
    requests: Object.assign(
      {},
      ...limits.map(({ min, defaultRequest }, at) => ({ ...min, ...maxima[at], ...defaultRequest })),
    ),
  } as Asked;
  const filled = (container: Container): object => {
    const given = askedBy(container);
    const merged = {
      requests: { ...defaults.requests, ...given.requests },
      limits: { ...defaults.limits, ...given.limits },
    };
    const kept = Object.entries(merged).filter(([, quantities]) => Object.keys(quantities).length > 0);
    return kept.length === 0
      ? container
      : { ...container, resources: { ...container.resources, ...Object.fromEntries(kept) } };
  };
  const { containers = [], initContainers } = pod.spec ?? {};
  const spec = {
    ...pod.spec,
    containers: containers.map(filled),
    ...(initContainers !== undefined && { initContainers: initContainers.map(filled) }),
  };
  return { ...pod, spec } as Resource;
}

const askedBy = ({ resources }: Container): Asked => ({
  requests: (resources?.requests ?? {}) as Quantities,
  limits: (resources?.limits ?? {}) as Quantities,
});

function breaches(limit: Limit, object: Pod & PersistentVolumeClaim): string[] {
  const { type = '' } = limit;
  if (object.kind === 'PersistentVolumeClaim') {
    const requests = textMap(object.spec?.resources?.requests as Resource | undefined);
    return type === 'PersistentVolumeClaim' ? brokenBy(limit, { requests, limits: requests }) : [];
  }
  const containers = [...(object.spec?.containers ?? []), ...(object.spec?.initContainers ?? [])];
  if (type === 'Container') return containers.flatMap((container) => brokenBy(limit, askedBy(container)));
  if (type !== 'Pod') return [];
  const asked = (object.spec?.containers ?? []).map(askedBy);
  return brokenBy(limit, {
    requests: sumOf(asked.map(({ requests }) => requests)),
    limits: sumOf(asked.map(({ limits }) => limits)),
  });
}

/** Sums as plain numbers: what is printed of a pod is its whole. */
function sumOf(all: readonly Quantities[]): Quantities {
  const sums = new Map<string, number>();
  for (const one of all)
    for (const [name, text] of Object.entries(one)) sums.set(name, (sums.get(name) ?? 0) + (quantityOf(text) ?? 0));
  return Object.fromEntries([...sums].map(([name, sum]) => [name, String(sum)]));
}

function brokenBy({ type = '', min, max, maxLimitRequestRatio }: Limit, { requests, limits }: Asked): string[] {
  const isClaim = type === 'PersistentVolumeClaim';
  const below = entries(min).flatMap(([name, bound]) => {
    const start = `minimum ${name} usage per ${type} is ${bound}`;
    const [request, limit] = [requests[name], limits[name]];
    if (request === undefined) return [`${start}.  No request is specified`];
    if (isLess(request, bound)) return [`${start}, but request is ${request}`];
    return limit !== undefined && isLess(limit, bound) ? [`${start}, but limit is ${limit}`] : [];
  });
  const above = entries(max).flatMap(([name, bound]) => {
    const start = `maximum ${name} usage per ${type} is ${bound}`;
    const [request, limit] = [requests[name], limits[name]];
    if (limit === undefined) return [`${start}.  No limit is specified`];
    if (isLess(bound, limit)) return [`${start}, but ${isClaim ? 'request' : 'limit'} is ${limit}`];
    return request !== undefined && isLess(bound, request) ? [`${start}, but request is ${request}`] : [];
  });
  return [...below, ...above, ...ratios(type, maxLimitRequestRatio, { requests, limits })];
}

const ratios = (type: string, bounds: Limit['max'], { requests, limits }: Asked): string[] =>
  entries(bounds).flatMap(([name, bound]) => {
    const start = `${name} max limit to request ratio per ${type} is ${bound}, but`;
    const [request, limit] = [quantityOf(requests[name]) ?? 0, quantityOf(limits[name]) ?? 0];
    if (request === 0) return [`${start} no request is specified or request is 0`];
    if (limit === 0) return [`${start} no limit is specified or limit is 0`];
    return limit / request > (quantityOf(bound) ?? 0)
      ? [`${start} provided ratio is ${(limit / request).toFixed(6)}`]
      : [];
  });

const entries = (bounds: Limit['max']): [string, string][] =>
  Object.entries((bounds ?? {}) as Quantities).sort(([a], [b]) => (a < b ? -1 : 1));

const isLess = (a: string, b: string): boolean => (quantityOf(a) ?? 0) < (quantityOf(b) ?? 0);
