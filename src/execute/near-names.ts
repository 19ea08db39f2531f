import type { Finding } from '../cluster/diagnosis.ts';
import { listOf, textOr } from '../manifest/fields.ts';
import type { Deployment, Service } from '../manifest/kubernetes.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { isAlike } from '../support/near.ts';
import { literalPattern } from '../support/pattern.ts';
import { fieldPlace } from './faults.ts';
import { type LooseEnd, wordsOf } from './loose-end.ts';
import type { PlanObject } from './plan-objects.ts';

const maxNamed = 3;

/**
 * The finding, and what the release has in place of what is missing there: an object of that kind with a name that is
 * much like it (or the few that there are, of Secrets and ConfigMaps those that share a word with it), the keys of a ConfigMap or Secret, the Service that a log's host may mean.
 */
export function withNearNames(finding: Finding, objects: readonly PlanObject[]): Finding {
  const text = [finding.reason, finding.chain.at(-1) ?? ''].join('\n');
  const hints = [
    ...missingObjects(text).flatMap(({ kind, name }) => instead(kind, name, objects)),
    ...missingKeys(text).flatMap(({ name, key }) => keysInstead(name, key, objects)),
    ...unknownHosts([...finding.log, ...finding.previousLog]).flatMap((host) => serviceInstead(host, finding, objects)),
  ];
  if (hints.length === 0) return finding;
  return { ...finding, hint: [finding.hint ?? [], ...new Set(hints)].flat().join('; ') };
}

interface Missing {
  readonly kind: string;
  readonly name: string;
}

/** In the words of the kubelet, the API server, the volume controller and our own. */
function missingObjects(text: string): readonly Missing[] {
  const quoted = [...text.matchAll(/\b([a-z]+)(?:\.[a-z0-9.]+)? "([^"]+)" not found/g)];
  const listed = text.match(/also missing: (.*)/)?.[1]?.matchAll(/(?<!of )\b(ConfigMap|Secret)\/([\w.-]+)/g) ?? [];
  const claim = /it does not exist, and the pod mounts it/.test(text)
    ? text.match(/PersistentVolumeClaim\/(\S+)/)
    : null;
  const priority = text.match(/no PriorityClass with name (\S+) was found/);
  return [
    ...quoted.map(([, kind = '', name = '']) => ({ kind, name })),
    ...[...listed].map(([, kind = '', name = '']) => ({ kind, name })),
    ...(claim === null ? [] : [{ kind: 'PersistentVolumeClaim', name: claim[1] ?? '' }]),
    ...(priority === null ? [] : [{ kind: 'PriorityClass', name: priority[1] ?? '' }]),
  ];
}

function instead(kind: string, name: string, objects: readonly PlanObject[]): readonly string[] {
  const same = objects.filter(({ object }) => object.kind.toLowerCase() === kind.toLowerCase());
  if (same.some(({ object }) => object.metadata.name === name)) return [];
  const near = same.filter(({ object }) => isAlike(object.metadata.name, name));
  if (near.length > 0) return [`the release has ${namesOf(near)}: did you mean it?`];
  // Releases have Secrets and ConfigMaps for this and that.
  const isForAnything = /^(?:secret|configmap)$/i.test(kind);
  const others = isForAnything ? same.filter(({ object }) => sharePart(object.metadata.name, name)) : same;
  return others.length === 0 || others.length > maxNamed ? [] : [`the release has ${namesOf(others)}`];
}

const leastPart = 4;
/** Whether a word of one name, as `smtp` of `web-smtp`, is one of the other. */
const sharePart = (a: string, b: string): boolean =>
  a.split(/[-.]/).some((part) => part.length >= leastPart && b.split(/[-.]/).includes(part));

/** `ConfigMap/web-settings (shop/templates/settings.yaml)` */
const namesOf = (objects: readonly PlanObject[]): string =>
  objects
    .slice(0, maxNamed)
    .map(({ object, source }) => `${object.kind}/${object.metadata.name}${source === '' ? '' : ` (${source})`}`)
    .join(', ');

interface MissingKey {
  readonly name: string;
  readonly key: string;
}

const missingKeys = (text: string): readonly MissingKey[] =>
  [...text.matchAll(/\bkey (\S+) (?:in|of) (?:ConfigMap|Secret)[ /](?:[\w-]+\/)?([\w.-]+)/g)].map(
    ([, key = '', name = '']) => ({ key, name }),
  );

function keysInstead(name: string, key: string, objects: readonly PlanObject[]): readonly string[] {
  const holder = objects.find(
    ({ object: { kind, metadata } }) => /^(?:ConfigMap|Secret)$/.test(kind) && metadata.name === name,
  );
  if (holder === undefined) return [];
  const { data, binaryData, stringData } = holder.object as Readonly<Record<string, object | null | undefined>>;
  const keys = [data, binaryData, stringData].flatMap((map) => Object.keys(map ?? {}));
  if (keys.length === 0 || keys.includes(key)) return [];
  const near = keys.filter((one) => isAlike(one, key));
  const named = (near.length > 0 ? near : keys).slice(0, maxNamed);
  const file = holder.source === '' ? '' : ` (${holder.source})`;
  const has = `${holder.object.kind}/${name}${file} has ${named.length === 1 ? 'the key' : 'the keys'} ${named.join(', ')}`;
  return [near.length === 0 ? has : `${has}: did you mean it?`];
}

/** In the words of Java, Node, Go, libpq, Python, curl, nslookup and the C library. */
const hostPatterns = [
  /UnknownHostException: ([\w.-]+)/,
  /\b(?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)/,
  /\blookup ([\w.-]+)(?: on \S+)?: (?:no such host|server misbehaving|Temporary failure)/,
  /could not translate host name "([\w.-]+)"/,
  /can't find ([\w.-]+): (?:NXDOMAIN|No answer)/,
  /[Cc]ould not resolve host:? "?([\w.-]+)/,
  /(?:Name or service not known|nodename nor servname provided)[^\w]+([\w.-]+)/,
];

export const unknownHosts = (log: readonly string[]): readonly string[] => [
  ...new Set(log.flatMap((line) => hostPatterns.flatMap((pattern) => pattern.exec(line)?.[1] ?? []))),
];

function serviceInstead(host: string, { resource }: Finding, objects: readonly PlanObject[]): readonly string[] {
  const [name = '', , third] = host.split('.');
  if (third !== undefined && third !== 'svc')
    return [`the cluster's DNS does not know ${host}: correct the name, or make it known there`];
  const services = objects.filter(({ object }) => object.kind === 'Service');
  if (services.some(({ object }) => object.metadata.name === name)) return [];
  const near = services.filter(({ object }) => isAlike(object.metadata.name, name));
  const meant = near.length > 0 ? near : servicesMeant(host, objects);
  if (meant.length > 0) return [`no Service ${name}, but the release has ${namesOf(meant)}: did you mean it?`];
  const isOfCluster = host === name || /\.svc(?:\.|$)/.test(host);
  const asking = objects.find(({ object }) => object.kind === resource.kind && object.metadata.name === resource.name);
  const others = services.filter((service) => asking === undefined || !selects(service, asking));
  if (!isOfCluster || others.length === 0 || others.length > maxNamed) return [];
  const advice = others.length === 1 ? 'did you mean it?' : 'name one of them';
  return [`the release has no Service ${name}, only ${others.map(withPorts).join(' and ')}: ${advice}`];
}

/** Whether the Service leads to the pods of a workload. */
function selects({ object }: PlanObject, workload: PlanObject): boolean {
  const selector = Object.entries((object as Service).spec?.selector ?? {});
  const labels = podLabels(workload.object) ?? {};
  return selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
}

/** `shop-db (5432)` */
function withPorts({ object }: PlanObject): string {
  const ports = listOf((object as Service).spec?.ports).map(({ port }) => String(port));
  return ports.length === 0 ? object.metadata.name : `${object.metadata.name} (${ports.join(', ')})`;
}

/** The Services of the subchart that a host is called after, where the release has none of that name: `x-redis` of `redis`. */
export function servicesMeant(host: string, objects: readonly PlanObject[]): readonly PlanObject[] {
  const name = host.split('.')[0] as string;
  const services = objects.filter(({ object }) => object.kind === 'Service');
  if (services.some(({ object }) => object.metadata.name === name)) return [];
  return services.filter(({ source }) => {
    const chart = /\/charts\/([^/]+)\/(?!charts\/)/.exec(source)?.[1];
    return chart !== undefined && `-${name}-`.includes(`-${chart}-`);
  });
}

/** Connections inside the release that lead nowhere, by a hair: told where a wait has failed, as none of them fails by itself. */
export function looseEnds(objects: readonly PlanObject[]): readonly LooseEnd[] {
  return objects.flatMap((one) => {
    if (one.object.kind === 'Service') return looseSelector(one, objects);
    return one.object.kind === 'Ingress' ? looseBackends(one, objects) : [];
  });
}

/** A selector that no pods of the release have, although some differ from it in one value. */
function looseSelector(service: PlanObject, objects: readonly PlanObject[]): readonly LooseEnd[] {
  const selector = Object.entries((service.object as Service).spec?.selector ?? {});
  const workloads = objects.flatMap(({ object }) => {
    const labels = podLabels(object);
    return labels === undefined
      ? []
      : [{ object, wrong: selector.filter(([key, value]) => labels[key] !== value), labels }];
  });
  if (selector.length === 0 || workloads.some(({ wrong }) => wrong.length === 0)) return [];
  return workloads
    .filter(({ wrong, labels }) => wrong.every(([key, value]) => isAlike(textOr(labels[key], ''), textOr(value, ''))))
    .slice(0, 1)
    .map(({ object, wrong: [wrong], labels }) => {
      const [key, value] = wrong as [string, unknown];
      const label = `${key}=${textOr(labels[key], '')}`;
      const told = `${key}=${textOr(value, '')}, which no pods of the release have; those of ${object.kind}/${object.metadata.name} have ${label}`;
      return {
        note: `${namesOf([service])} selects ${told}`,
        problem: `Service/${service.object.metadata.name} selects ${told}`,
        fix: `select ${label} there`,
        places: [fieldPlace(originOf(service), { path: ['spec', 'selector', key] })],
        explains: (fault) => saysName(wordsOf(fault), service.object.metadata.name),
      };
    });
}

function originOf({ object: { apiVersion, kind, metadata }, source }: PlanObject) {
  return {
    id: { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name },
    template: source,
  };
}

/** As a whole name: `db` not in `db-backup`. */
const saysName = (text: string, name: string): boolean =>
  new RegExp(`(?<![\\w-])${literalPattern(name)}(?![\\w-])`).test(text);

function podLabels(object: KubernetesObject): Readonly<Record<string, unknown>> | undefined {
  if (object.kind === 'Pod') return object.metadata.labels ?? {};
  return (object as Deployment).spec?.template?.metadata?.labels ?? undefined;
}

interface IngressBackend {
  readonly service?: {
    readonly name?: unknown;
    readonly port?: { readonly number?: unknown; readonly name?: unknown };
  };
}

interface Ingress {
  readonly spec?: {
    readonly defaultBackend?: IngressBackend;
    readonly rules?: readonly {
      readonly http?: { readonly paths?: readonly { readonly backend?: IngressBackend }[] };
    }[];
  };
}

/** A backend whose Service is not in the release, although one is much like it; or a port that its Service does not have. */
function looseBackends(ingress: PlanObject, objects: readonly PlanObject[]): readonly LooseEnd[] {
  const { spec } = ingress.object as Ingress;
  const paths = listOf(spec?.rules).flatMap(({ http }) => listOf(http?.paths));
  const backends = [spec?.defaultBackend, ...paths.map(({ backend }) => backend)].flatMap((one) => one?.service ?? []);
  const loose = backends.flatMap(({ name, port }) => {
    const service = objects.find(({ object }) => object.kind === 'Service' && object.metadata.name === name);
    if (service === undefined) {
      const near = instead('Service', textOr(name, ''), objects).filter((text) => text.endsWith('?'));
      return near.map((text) => `${namesOf([ingress])} names Service/${textOr(name, '')}: ${text}`);
    }
    const ports = listOf((service.object as Service).spec?.ports);
    const wanted = port?.number ?? port?.name;
    if (wanted === undefined || ports.some((one) => one.port === wanted || one.name === wanted)) return [];
    const has = ports.map((one) => [one.port, one.name].filter((text) => text !== undefined).join(' ')).join(', ');
    return `${namesOf([ingress])} names port ${String(wanted)} of Service/${textOr(name, '')}, which has ${has}`;
  });
  return [...new Set(loose)].map((note) => ({
    note,
    problem: note,
    fix: 'name a Service of the release and one of its ports',
    places: [fieldPlace(originOf(ingress), { path: ['spec'] })],
    explains: ({ subject }) =>
      subject.kind === 'object' && subject.id.kind === 'Ingress' && subject.id.name === ingress.object.metadata.name,
  }));
}
