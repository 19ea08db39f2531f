import { TshelmError } from '../support/errors.ts';
import { isObject } from '../support/json.ts';
import { nearest } from '../support/near.ts';
import { fitsPattern } from '../support/pattern.ts';
import { unquoted } from '../support/text.ts';
import type { PathPart } from './field-differences.ts';
import { groupOf } from './resource-id.ts';
import type { ResourceId } from './types.ts';

/**
 * What happens to fields that others manage too: `take` takes them over, `leave` neither sends nor removes them once the
 * object is there, `fail` refuses to take them over whatever else is said, `ignore` is for drift alone.
 */
export type FieldAction = (typeof fieldActions)[number];
const fieldActions = ['take', 'leave', 'fail', 'ignore'] as const;

/** Whose fields are whose: `Deployment/web:spec.replicas@kube-controller-manager=leave`. */
export interface FieldRule {
  /** As it was written. */
  readonly text: string;
  readonly namespace: string;
  /** Maybe with its group: `Deployment.apps`. */
  readonly kind: string;
  readonly name: string;
  readonly path: readonly RuleStep[];
  /** Only fields that this manager has. */
  readonly manager?: string | undefined;
  readonly action: FieldAction;
}

/** A key, or of a dotted key a part; or the items of a list, all of them or those with these fields. */
export type RuleStep =
  | { readonly kind: 'key'; readonly text: string }
  | { readonly kind: 'item'; readonly index?: string | undefined; readonly fields: Readonly<Record<string, string>> };

/** The forms that are no rule, with what they may mean. */
export interface RuleReading {
  /** What a rule does that names no action. */
  readonly otherwise?: FieldAction | undefined;
  /** What messages call it: `--take-fields`, `fields.yaml:3`. */
  readonly place: string;
}

/**
 * rule := objects ":" path [ "@" manager ] [ "=" action ]; objects := kind | [ namespace "/" ] kind "/" name. `*` stands for
 * any text in each of them. A path is written as plans print it, `spec.template.spec.containers[name=web].image`. Errors: `field-rule-invalid`.
 */
export function readFieldRule(text: string, { otherwise = 'take', place }: RuleReading): FieldRule {
  const invalid = (why: string): TshelmError<'field-rule-invalid'> =>
    new TshelmError('field-rule-invalid', {
      message: `${place}: ${JSON.stringify(text)} is not a valid field rule: ${why}; write ${formOf(otherwise)}`,
      details: { rule: text },
    });
  const { head, manager, action } = partsOfRule(text);
  const colon = outsideBrackets(head, ':').at(-1);
  if (colon === undefined || colon === head.length - 1) throw invalid('it names no path');
  const objects = head.slice(0, colon).split('/');
  if (objects.length > 3) throw invalid(`${head.slice(0, colon)} names no objects`);
  const [kind = '', name = '*'] = objects.slice(-2);
  const namespace = objects.length === 3 ? objects[0] : '*';
  const path = readPath(head.slice(colon + 1));
  if (kind === '') throw invalid('it names no kind');
  if (path === undefined) throw invalid(`${head.slice(colon + 1)} is not a path`);
  const known = action === undefined ? otherwise : fieldActions.find((one) => one === action);
  if (known === undefined) {
    const meant = nearest(action ?? '', fieldActions);
    throw invalid(
      `the action is one of ${fieldActions.join(', ')}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
    );
  }
  if (known === 'leave' && identity.some((field) => isWithin(field, path)))
    throw invalid(
      `${head.slice(colon + 1)} covers what says which object it is (apiVersion, kind, its name and namespace)`,
    );
  return { text, namespace: namespace || '*', kind, name: name || '*', path, manager, action: known };
}

/** What is always sent: without it there is no object. */
const identity: readonly (readonly PathPart[])[] = [
  ['apiVersion'],
  ['kind'],
  ['metadata', 'name'],
  ['metadata', 'namespace'],
];

/** Of a rule of drift the path alone: `=leave` is for a change. */
const formOf = (otherwise: FieldAction): string =>
  otherwise === 'ignore'
    ? 'KIND/NAME:PATH, for example Deployment/web:spec.replicas'
    : 'KIND/NAME:PATH=ACTION, for example Deployment/web:spec.replicas=leave';

/** What forgets the rules that a release remembers. */
export const noRules = 'none';

/** Errors: `field-rule-invalid`. */
export const readFieldRules = (texts: readonly string[], reading: RuleReading): readonly FieldRule[] =>
  texts.filter((text) => text !== noRules).map((text) => readFieldRule(text, reading));

/** The action is behind the last `=` outside of brackets, and the manager between that and an `@` before it. */
function partsOfRule(text: string) {
  const equals = outsideBrackets(text, '=')[0];
  const action = equals === undefined ? undefined : text.slice(equals + 1);
  const rest = text.slice(0, equals);
  const at = outsideBrackets(rest, '@')[0];
  return { head: rest.slice(0, at), manager: at === undefined ? undefined : rest.slice(at + 1), action };
}

/** Where a sign is outside of `[…]`. */
function outsideBrackets(text: string, sign: string): readonly number[] {
  let depth = 0;
  return [...text].flatMap((one, index) => {
    if (one === '[') depth++;
    else if (one === ']') depth--;
    return one === sign && depth === 0 ? [index] : [];
  });
}

/** path := step { "." step | "[" item "]" }; undefined where it is none. */
export function readPath(text: string): readonly RuleStep[] | undefined {
  const steps: RuleStep[] = [];
  const parts = text.replace(/^\./, '').match(/\[[^\]]*\]|[^.[\]]+|\./g) ?? [];
  if (parts.join('') !== text.replace(/^\./, '')) return undefined;
  let wantsKey = true;
  for (const part of parts) {
    if (part === '.') {
      if (wantsKey) return undefined;
      wantsKey = true;
    } else if (part.startsWith('[')) {
      const read = itemSteps(part.slice(1, -1));
      if (read === undefined) return undefined;
      steps.push(...read);
      wantsKey = false;
    } else {
      if (!wantsKey) return undefined;
      steps.push({ kind: 'key', text: part });
      wantsKey = false;
    }
  }
  return wantsKey ? undefined : steps;
}

/** `"example.com/name"` is a key, `*` every item, `0` the first one, `name=web` or `port=80,protocol="TCP"` those with these fields. */
function itemSteps(inside: string): readonly RuleStep[] | undefined {
  if (inside.startsWith('"') && inside.endsWith('"') && inside.length > 2)
    return inside
      .slice(1, -1)
      .split('.')
      .map((text) => ({ kind: 'key', text }));
  if (inside === '*') return [{ kind: 'item', fields: {} }];
  if (/^\d+$/.test(inside)) return [{ kind: 'item', index: inside, fields: {} }];
  const pairs = inside.split(',').map((pair) => /^([^=]+)=(.+)$/.exec(pair));
  if (pairs.some((pair) => pair === null)) return undefined;
  return [
    {
      kind: 'item',
      fields: Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', unquoted(pair?.[2] ?? '')])),
    },
  ];
}

/** `spec.containers[name=web].image`, as a rule has it. */
export const rulePathText = (path: readonly RuleStep[]): string =>
  path.reduce((text, step) => {
    if (step.kind === 'key') return text === '' ? step.text : `${text}.${step.text}`;
    const fields = Object.entries(step.fields).map(([key, value]) => `${key}=${value}`);
    return `${text}[${step.index ?? (fields.join(',') || '*')}]`;
  }, '');

/** Whether a rule speaks of an object: kinds in any case, with their group or without. */
export function isOfRule(
  { apiVersion, kind, name, namespace = '' }: Omit<ResourceId, 'namespace'> & Partial<ResourceId>,
  rule: FieldRule,
): boolean {
  const isKind = (text: string): boolean => fitsPattern(text.toLowerCase(), rule.kind.toLowerCase());
  return (
    (isKind(kind) || isKind(`${kind}.${groupOf(apiVersion)}`)) &&
    fitsPattern(name, rule.name) &&
    fitsPattern(namespace, rule.namespace)
  );
}

export const rulesOf = (id: ResourceId, rules: readonly FieldRule[] = []): readonly FieldRule[] =>
  rules.filter((rule) => isOfRule(id, rule));

/** Whether a rule's path leads to a field, or to something around it. */
export function isWithin(parts: readonly PathPart[], path: readonly RuleStep[]): boolean {
  if (path.length === 0) return true;
  const [part, ...rest] = parts;
  if (part === undefined) return false;
  if (typeof part !== 'string') {
    const [step, ...further] = path;
    return step !== undefined && fitsItem(part, step) && isWithin(rest, further);
  }
  return stepsPast(part, path).some((further) => isWithin(rest, further));
}

/** What is left of a path behind a key, which may take several steps: `example.com/name`. */
export const stepsPast = (key: string, path: readonly RuleStep[]): readonly (readonly RuleStep[])[] =>
  path.flatMap((step, index) => {
    const until = path.slice(0, index + 1);
    const isKey = until.every(({ kind }) => kind === 'key');
    const pattern = until.map((one) => (one.kind === 'key' ? one.text : '')).join('.');
    return step.kind === 'key' && isKey && fitsPattern(key, pattern) ? [path.slice(index + 1)] : [];
  });

export function fitsItem({ label, item }: Exclude<PathPart, string>, step: RuleStep): boolean {
  if (step.kind !== 'item') return false;
  if (step.index !== undefined) return label === step.index;
  return Object.entries(step.fields).every(
    ([key, pattern]) => isObject(item) && item[key] !== undefined && fitsPattern(String(item[key]), pattern),
  );
}

/** Whether a rule holds for a field that these managers have. Of a field that nobody has, only a rule that names no manager. */
export const isOfManagers = (managers: readonly string[], { manager }: FieldRule): boolean =>
  manager === undefined || managers.some((one) => fitsPattern(one, manager));

/** The last rule that takes a field or refuses to. */
export const rulingOf = (
  parts: readonly PathPart[],
  managers: readonly string[],
  rules: readonly FieldRule[],
): FieldRule | undefined =>
  rules.findLast(
    (one) => ['take', 'fail'].includes(one.action) && isWithin(parts, one.path) && isOfManagers(managers, one),
  );

/** What it says. */
export const actionFor = (...of: Parameters<typeof rulingOf>): FieldAction | undefined => rulingOf(...of)?.action;
