import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { nearest } from '../support/near.ts';
import { nearestLabel, nearestSubdomain } from '../support/near-name.ts';
import type { NameRule, RefusalFact } from './refusal-fact.ts';
import type { Remedy } from './remedy.ts';

/** A field that a refusal is about, in the object that was sent. */
export interface RefusedField {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
  /** `[]`: the object as a whole. */
  readonly path: FieldPath;
}

/** What to do about a refusal, the likely way first. Flags are up to who knows the run: execute/apply/refused-changes.ts. */
export function refusalRemedies(fact: RefusalFact, field: RefusedField): readonly Remedy[] {
  const { id: object, path } = field;
  switch (fact.code) {
    case 'name-invalid': {
      const value = correctName(fact);
      // What a Secret says is no text for a terminal.
      if (value === '' || object.kind === 'Secret') return [];
      return [{ kind: 'change-field', object, path, instead: fact.value, value }];
    }
    case 'field-choice': {
      const value = nearest(fact.value, fact.allowed);
      return value === undefined ? [] : [{ kind: 'change-field', object, path, instead: fact.value, value }];
    }
    case 'quantity-invalid':
      return quantityRemedies(fact.value ?? '', field);
    case 'field-type':
      return [{ kind: 'change-type', object, path, type: fact.wanted, value: fact.value }];
    case 'field-unknown':
      return indentRemedies(field);
    case 'namespace-missing':
      return fact.name === undefined ? [] : [{ kind: 'create-object', object: { kind: 'Namespace', name: fact.name } }];
    default:
      return [];
  }
}

/** What was probably meant by a text that is no quantity: `512Mi` or `512M` by `512MB`. */
function quantityRemedies(text: string, { id: object, path }: RefusedField): readonly Remedy[] {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([kKMGTPE])i?[bB](?:ytes)?$/.exec(text) ?? [];
  if (number === undefined) return [];
  const value = `${number}${unit.toUpperCase()}i`;
  return [{ kind: 'change-field', object, path, instead: text, value, or: `${number}${unit}` }];
}

/** A field that is indented one level too little: below an empty one, or a label in metadata. */
function indentRemedies({ id, object, path }: RefusedField): readonly Remedy[] {
  const key = String(path.at(-1) ?? '');
  const holder = path.slice(0, -1);
  const beside = Object.entries((valueAtPath(object, holder) ?? {}) as object);
  const at = beside.findIndex(([name]) => name === key);
  const [empty] = beside.slice(0, Math.max(0, at)).findLast(([, value]) => value === null) ?? [];
  if (empty !== undefined) return [{ kind: 'indent', object: id, path, below: [[...holder, empty]] }];
  if (holder.join('.') !== 'metadata' || !key.includes('/'))
    return path.length === 0 ? [] : [{ kind: 'change-field', object: id, path, how: 'rename' }];
  const below = ['labels', 'annotations'].map((name) => ['metadata', name]);
  return [{ kind: 'indent', object: id, path, below }];
}

/** The nearest text that the rules allow; '' where nothing is left of it. */
function correctName({ value, rules, longest }: Extract<RefusalFact, { code: 'name-invalid' }>): string {
  const allowed = rules.reduce((text, rule) => corrections[rule](text), value);
  return longest === undefined || allowed.length <= longest
    ? allowed
    : allowed.slice(0, longest).replace(/[^A-Za-z0-9]+$/, '');
}

const withDashes = (text: string): string => text.replace(/[^A-Za-z0-9_.-]+/g, '-');

const corrections: Readonly<Record<NameRule, (text: string) => string>> = {
  subdomain: nearestSubdomain,
  label: nearestLabel,
  'dns-1035-label': (text) => nearestLabel(text).replace(/^[^a-z]+/, ''),
  'without-dots': nearestLabel,
  'label-value': (text) => withDashes(text).replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, ''),
  'config-key': withDashes,
  'letters-and-hyphens': nearestLabel,
  length: (text) => text,
};
