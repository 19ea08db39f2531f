import { builtInType, fieldType, resolveType, type Type, type TypeRef } from '../../kinds/field-types.ts';
import {
  type FieldRule,
  fitsItem,
  isOfRule,
  type RuleStep,
  readFieldRules,
  rulePathText,
  stepsPast,
} from '../../manifest/field-rules.ts';
import { itemsOf } from '../../manifest/items.ts';
import { hasObject } from '../../manifest/parse.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest } from '../../manifest/types.ts';
import { isObject } from '../../support/json.ts';
import { nearest } from '../../support/near.ts';

/**
 * Rules that were given for fields and have nothing to rule, so most likely misspelt: no object of the release is the one
 * that they name, or its kind has no such field. Of a custom resource only its name is known.
 */
export function idleRuleWarnings(
  given: readonly string[] | undefined,
  manifests: readonly Manifest[],
  namespace: string,
): readonly string[] {
  if (given === undefined || given.length === 0) return [];
  const objects = manifests.filter(hasObject).flatMap(({ object }) => itemsOf(object));
  return readFieldRules(given, { place: 'takeFields' }).flatMap((rule) => {
    const why = whyIdle(rule, objects, namespace);
    return why === undefined ? [] : [`the rule ${rule.text} for fields has no effect: ${why}`];
  });
}

function whyIdle(rule: FieldRule, objects: readonly KubernetesObject[], namespace: string): string | undefined {
  const meant = objects.filter((object) => isOfRule(idOf(object, namespace), rule));
  if (meant.length === 0) return noObject(rule, objects);
  if (meant.some((object) => hasField(object, rule.path))) return undefined;
  return `${[...new Set(meant.map(({ kind }) => kind))].join(' and ')} has no field ${rulePathText(rule.path)}`;
}

function noObject({ kind, name, namespace }: FieldRule, objects: readonly KubernetesObject[]): string {
  const wanted = name === '*' ? kind : `${kind}/${name}`;
  const names = objects.map((one) => (name === '*' ? one.kind : `${one.kind}/${one.metadata.name}`));
  const near = nearest(wanted, names);
  const place = namespace === '*' ? '' : `${namespace}/`;
  return `the release has no ${place}${wanted}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** Whether the object sets a field, or its kind knows it: what another manager sets need not be in the chart. */
function hasField(object: KubernetesObject, path: readonly RuleStep[]): boolean {
  if (leadsInto(object, path)) return true;
  const type = builtInType(object.apiVersion, object.kind);
  return type === undefined || isField(type, path);
}

function leadsInto(value: unknown, path: readonly RuleStep[]): boolean {
  const [step, ...further] = path;
  if (step === undefined) return true;
  if (Array.isArray(value))
    return value.some((item, index) => fitsItem({ label: String(index), item }, step) && leadsInto(item, further));
  return isObject(value) && Object.entries(value).some(([key, item]) => anyLeads(item, stepsPast(key, path)));
}

const anyLeads = (value: unknown, paths: readonly (readonly RuleStep[])[]): boolean =>
  paths.some((path) => leadsInto(value, path));

function isField(type: Type, path: readonly RuleStep[]): boolean {
  const [step, ...further] = path;
  if (step === undefined || type.kind === 'any') return true;
  if (type.kind === 'list') return step.kind === 'item' && isField(resolveType(type.element), further);
  if (type.kind !== 'map' || step.kind !== 'key') return false;
  if (type.fields !== undefined)
    return Object.keys(type.fields).some((key) =>
      stepsPast(key, path).some((rest) => isField(resolveType(fieldType(type, key) as TypeRef), rest)),
    );
  const element = type.element;
  return element !== undefined && restsOfKey(path).some((rest) => isField(resolveType(element), rest));
}

/** A key of a map may have dots, so it may be several steps. */
const restsOfKey = (path: readonly RuleStep[]): readonly (readonly RuleStep[])[] =>
  path.flatMap((step, index) =>
    step.kind === 'key' && path.slice(0, index).every(({ kind }) => kind === 'key') ? [path.slice(index + 1)] : [],
  );
