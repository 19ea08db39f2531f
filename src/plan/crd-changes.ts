import type { KubernetesObject } from '../manifest/types.ts';
import { asObject, type Fields, isObject } from '../support/json.ts';

/**
 * Where the specification of a CustomResourceDefinition in the cluster differs from the chart's; [] when it does not.
 * What the server fills in, and what has no value, counts for nothing. Paths such as `spec.versions[v1].schema.…`.
 */
export const crdDifferences = (chart: KubernetesObject, live: KubernetesObject): readonly string[] =>
  differences(normalSpec(chart), normalSpec(live), 'spec');

/**
 * What would be lost if the chart's CustomResourceDefinition took the place of the live one: its scope or kind, versions
 * that objects are stored in or that are served, and fields of served versions. [] when it is safe.
 */
export function crdLosses(chart: KubernetesObject, live: KubernetesObject): readonly string[] {
  const next = fieldsAt(chart, 'spec');
  const current = fieldsAt(live, 'spec');
  return [...changedIdentity(next, current), ...lostStoredVersions(next, live), ...lostServed(next, current)];
}

function changedIdentity(next: Fields, current: Fields): readonly string[] {
  const changes = [
    ['scope', current['scope'], next['scope']],
    ['kind', fieldsAt(current, 'names')['kind'], fieldsAt(next, 'names')['kind']],
  ];
  return changes.flatMap(([what, from, to]) =>
    from === to ? [] : [`its ${String(what)} would change from ${String(from)} to ${String(to)}`],
  );
}

function lostStoredVersions(next: Fields, live: KubernetesObject): readonly string[] {
  const stored = fieldsAt(live, 'status')['storedVersions'];
  const names = new Set(versionsOf(next).map(nameOf));
  return (Array.isArray(stored) ? (stored as string[]) : [])
    .filter((name) => !names.has(name))
    .map((name) => `objects are stored in version ${name}, which would be removed`);
}

function lostServed(next: Fields, current: Fields): readonly string[] {
  const served = (spec: Fields): readonly Fields[] => versionsOf(spec).filter((version) => version['served'] === true);
  const nextVersions = new Map(served(next).map((version) => [nameOf(version), version]));
  return served(current).flatMap((version) => {
    const name = nameOf(version);
    const replacement = nextVersions.get(name);
    if (replacement === undefined) return [`version ${name} would no longer be served`];
    return lostFields(schemaOf(version), schemaOf(replacement), '').map((loss) => `version ${name}: ${loss}`);
  });
}

/** Fields that `current` lets users write and `next` would prune, or give another type. */
function lostFields(current: Fields, next: Fields, path: string): readonly string[] {
  const [from, to] = [typeOf(current), typeOf(next)];
  if (from !== undefined && to !== undefined && from !== to) {
    return [`the type of ${path || 'the object'} would change from ${from} to ${to}`];
  }
  const keepsAll = next['x-kubernetes-preserve-unknown-fields'] === true;
  const known = fieldsAt(next, 'properties');
  const additional = next['additionalProperties'];
  const inProperties = Object.entries(fieldsAt(current, 'properties')).flatMap(([name, field]) => {
    const fieldPath = `${path}.${name}`;
    const replacement = known[name] ?? (isObject(additional) ? additional : undefined);
    if (isObject(replacement)) return lostFields(asObject(field), replacement, fieldPath);
    return keepsAll || additional === true ? [] : [`field ${fieldPath} would be lost`];
  });
  return [...inProperties, ...lostInside(current, next, 'items', `${path}[]`), ...lostValues(current, next, path)];
}

const lostInside = (current: Fields, next: Fields, key: string, path: string): readonly string[] =>
  isObject(current[key]) && isObject(next[key]) ? lostFields(current[key] as Fields, next[key] as Fields, path) : [];

/** Of a field whose keys are free: `additionalProperties`, or everything that is not described. */
function lostValues(current: Fields, next: Fields, path: string): readonly string[] {
  const isFree = (schema: Fields): boolean =>
    Boolean(schema['additionalProperties']) || schema['x-kubernetes-preserve-unknown-fields'] === true;
  if (isFree(current) && !isFree(next)) return [`field ${path}.* would be lost`];
  return lostInside(current, next, 'additionalProperties', `${path}.*`);
}

function typeOf(schema: Fields): string | undefined {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or string';
  return typeof schema['type'] === 'string' && schema['type'] !== '' ? schema['type'] : undefined;
}

const schemaOf = (version: Fields): Fields => fieldsAt(fieldsAt(version, 'schema'), 'openAPIV3Schema');
const nameOf = (version: Fields): string => String(version['name']);

function versionsOf(spec: Fields): readonly Fields[] {
  const versions = spec['versions'];
  return Array.isArray(versions) ? versions.filter(isObject) : [];
}

/** The specification as the server would store it, without what it leaves empty and what others fill in. */
function normalSpec(crd: KubernetesObject): Fields {
  const spec = fieldsAt(crd, 'spec');
  const names = fieldsAt(spec, 'names');
  const kind = String(names['kind']);
  return {
    ...spec,
    names: { listKind: `${kind}List`, singular: kind.toLowerCase(), ...names },
    conversion: normalConversion(fieldsAt(spec, 'conversion')),
  };
}

/** Certificates are put in by whoever runs the webhook. */
function normalConversion(conversion: Fields): Fields {
  const webhook = fieldsAt(conversion, 'webhook');
  const { caBundle: _caBundle, ...clientConfig } = fieldsAt(webhook, 'clientConfig');
  if (conversion['webhook'] === undefined) return { strategy: 'None', ...conversion };
  const service = isObject(clientConfig['service']) ? { port: 443, ...clientConfig['service'] } : undefined;
  return { ...conversion, webhook: { ...webhook, clientConfig: { ...clientConfig, service } } };
}

function differences(a: unknown, b: unknown, path: string): readonly string[] {
  // A default of false or 0 is one all the same.
  if (isEmpty(a) && isEmpty(b) && !path.endsWith('.default')) return [];
  if (Array.isArray(a) && Array.isArray(b)) return listDifferences(a, b, path);
  if (isObject(a) && isObject(b)) {
    const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])].sort();
    return keys.flatMap((key) => differences(a[key], b[key], `${path}.${key}`));
  }
  return String(a) === String(b) && typeof a === typeof b ? [] : [path];
}

/** Versions by their names; other lists item by item. */
function listDifferences(a: readonly unknown[], b: readonly unknown[], path: string): readonly string[] {
  const keyOf = (item: unknown, index: number): string =>
    path === 'spec.versions' && isObject(item) ? nameOf(item) : String(index);
  const byKey = (items: readonly unknown[]): Map<string, unknown> =>
    new Map(items.map((item, index) => [keyOf(item, index), item]));
  const [left, right] = [byKey(a), byKey(b)];
  return [...new Set([...left.keys(), ...right.keys()])].flatMap((key) =>
    differences(left.get(key), right.get(key), `${path}[${key}]`),
  );
}

/** What Go's JSON leaves out; an empty object says something in a schema. */
const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === '' ||
  value === 0 ||
  (Array.isArray(value) && value.length === 0);

const fieldsAt = (fields: Fields | KubernetesObject, key: string): Fields => asObject(fields[key]);
