import { podFields } from '../kinds/pod-fields.ts';
import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { nearest } from '../support/near.ts';
import { nearestLabel, nearestSubdomain } from '../support/near-name.ts';
import type { Quote } from './quote.ts';
import type { FieldType, Remedy } from './remedy.ts';

/**
 * Why an object of the release was refused: by the API server (its HTTP status, reason and causes), or before it was
 * asked. `field` is the field as the API server names it: `spec.ports[0].port`.
 */
export type RefusalFact =
  /** The API server refused an object for a reason that has no code of its own. Change the object as the API server's message says. */
  | { readonly code: 'refused'; readonly status: number; readonly reason: string; readonly words: Quote }
  /** The kind has no such field. Correct the name of the field, or indent it below the field that it belongs to. */
  | { readonly code: 'field-unknown'; readonly field: string }
  /** A field has a value of the wrong type. Write the value with the expected type. */
  | {
      readonly code: 'field-type';
      readonly field: string;
      readonly wanted: FieldType;
      /** The type that it has, in the API server's word: `string`. */
      readonly type?: string | undefined;
      /** What it says. */
      readonly value?: string | undefined;
    }
  /** A field has a value that its kind does not allow. Change the value as the API server's message says. */
  | {
      readonly code: 'field-value';
      readonly field: string;
      /** Another field with which it does not agree: the limit of a request. */
      readonly beside?: string | undefined;
      readonly words: Quote;
    }
  /** A field has a value that is not one of the allowed ones. Use one of the values in `allowed`. */
  | {
      readonly code: 'field-choice';
      readonly field: string;
      readonly value: string;
      readonly allowed: readonly string[];
    }
  /** A required field is not set. Set the field. */
  | { readonly code: 'field-required'; readonly field: string; readonly words?: Quote | undefined }
  /** A field must not be set here, or not to this value. Remove the field, or change the field as the API server's message says. */
  | { readonly code: 'field-forbidden'; readonly field: string; readonly words: Quote }
  /** Two items of a list have the same key. Rename or remove one of the items. */
  | { readonly code: 'field-duplicate'; readonly field: string; readonly key?: string | undefined }
  /** The change would modify fields that are immutable. Keep the old values of the fields, or let tshelm delete and recreate the object (replaceObjects, replaceImmutable). */
  | { readonly code: 'field-immutable'; readonly fields: readonly string[] }
  /** Kubernetes does not allow this name. Choose a name that follows the rules in the message. */
  | {
      readonly code: 'name-invalid';
      readonly field: string;
      readonly value: string;
      readonly rules: readonly NameRule[];
      /** So many characters are allowed. */
      readonly longest?: number | undefined;
    }
  /** A value is not a quantity. Write a number with a suffix of Kubernetes: `500m`, `64Mi`. */
  | { readonly code: 'quantity-invalid'; readonly field?: string | undefined; readonly value?: string | undefined }
  /** A value of a Secret is not base64. Encode the value, or write the plain text under `stringData`. */
  | { readonly code: 'encoding-invalid'; readonly field?: string | undefined }
  /** The selector of a workload requires labels that its pods do not have. Give the selector and the pods the same labels. */
  | { readonly code: 'selector-mismatch'; readonly field: string; readonly unlike?: readonly UnlikeLabel[] | undefined }
  /** The node port is outside the range that API servers have by default. Choose a port in the range, unless your API server has another range. */
  | {
      readonly code: 'node-port-outside';
      readonly field: string;
      readonly port: number;
      readonly from: number;
      readonly to: number;
    }
  /** No container starts with so little memory: a number without a unit counts bytes. Add the unit: `128Mi`. */
  | { readonly code: 'memory-too-small'; readonly field: string; readonly value: string }
  /** Another field manager owns fields that the chart sets. Remove the fields from the chart, or take over the fields (takeFields, forceConflicts). */
  | { readonly code: 'conflict'; readonly fields: readonly string[]; readonly managers: readonly string[] }
  /** The namespace of an object does not exist. Create the namespace, correct metadata.namespace, or let tshelm create the namespace of the release (createNamespace). */
  | { readonly code: 'namespace-missing'; readonly name?: string | undefined }
  /** The cluster forbids the request. Ask for the rights that the API server's message names. */
  | { readonly code: 'forbidden'; readonly words: Quote }
  /** The quota of a namespace is used up. Request less, delete what is no longer needed, or raise the quota. */
  | { readonly code: 'quota-exceeded'; readonly words: Quote }
  /** A policy or a webhook of the cluster denied the object. Change the object as the message says. */
  | { readonly code: 'admission-denied'; readonly webhook?: string | undefined; readonly words: Quote }
  /** A ValidatingAdmissionPolicy denies the object, or the pods that the object creates. Change the object as the policy says. */
  | {
      readonly code: 'policy-denied';
      readonly policy: string;
      readonly binding?: string | undefined;
      readonly isOfPods?: boolean | undefined;
      readonly words: Quote;
    }
  /** A ValidatingAdmissionPolicy warns about the object, or about the pods that the object creates. Change the object as the policy says. */
  | {
      readonly code: 'policy-warned';
      readonly policy: string;
      readonly binding?: string | undefined;
      readonly isOfPods?: boolean | undefined;
      readonly words: Quote;
    }
  /** Only a cluster can evaluate this policy: the policy changes objects (`mutating`), or needs data of the cluster, such as `authorizer` (`expression`). Check against a cluster. */
  | {
      readonly code: 'policy-not-judged';
      readonly policy: string;
      readonly binding?: string | undefined;
      readonly why: 'mutating' | 'expression';
      /** It changes the pods that the object creates. */
      readonly isOfPods?: boolean | undefined;
      readonly words?: Quote | undefined;
    }
  /** An object was not sent to the API server, or the API server did not answer. Fix what the error message names. */
  | { readonly code: 'not-sent' }
  /** An earlier run left an object of the hook behind, so the hook cannot be created. Delete the object, or set the delete policy `before-hook-creation`. */
  | { readonly code: 'left-over'; readonly fields: readonly string[]; readonly words?: Quote | undefined }
  /** The cluster does not serve this kind in this version. Install its CRD, or correct the apiVersion. */
  | { readonly code: 'kind-unknown'; readonly apiVersion: string; readonly kind: string }
  /** Parts of a rendered object have the wrong type. Correct the template where it writes the parts in `parts`. */
  | { readonly code: 'object-malformed'; readonly parts: readonly MalformedPart[] }
  /** The object exists and is not part of the release. Move the object here from the other release (`tshelm move`), adopt an object that belongs to no release (`tshelm adopt`), or take over the object (takeOwnership). */
  | {
      readonly code: 'owned-elsewhere';
      /** Absent where no release owns it. */
      readonly owner?: { readonly release: string; readonly namespace: string } | undefined;
    }
  /** An object has no name. Set metadata.name. */
  | { readonly code: 'name-missing'; readonly path: FieldPath; readonly isEmpty: boolean };

/** A label that a selector asks for, and that the pods do not have as it asks. */
export interface UnlikeLabel {
  readonly key: string;
  readonly wanted: string;
  /** What the pods have; absent where they do not have the label. */
  readonly found?: string | undefined;
  /** A label of the pods with nearly the same name. */
  readonly near?: string | undefined;
}

/** A part of a rendered object that keeps it from being one. */
export interface MalformedPart {
  readonly path: FieldPath;
  readonly reason: string;
}

/** The kinds of names that Kubernetes has rules for. */
export type NameRule =
  | 'subdomain'
  | 'label'
  | 'dns-1035-label'
  | 'without-dots'
  | 'label-key'
  | 'label-value'
  | 'config-key'
  | 'letters-and-hyphens'
  | 'length';

/** Their codes. */
export const refusalCodes: Readonly<Record<RefusalFact['code'], true>> = {
  refused: true,
  'field-unknown': true,
  'field-type': true,
  'field-value': true,
  'field-choice': true,
  'field-required': true,
  'field-forbidden': true,
  'field-duplicate': true,
  'field-immutable': true,
  'name-invalid': true,
  'quantity-invalid': true,
  'encoding-invalid': true,
  'selector-mismatch': true,
  'node-port-outside': true,
  'memory-too-small': true,
  conflict: true,
  'namespace-missing': true,
  forbidden: true,
  'quota-exceeded': true,
  'admission-denied': true,
  'policy-denied': true,
  'policy-warned': true,
  'policy-not-judged': true,
  'not-sent': true,
  'left-over': true,
  'kind-unknown': true,
  'object-malformed': true,
  'owned-elsewhere': true,
  'name-missing': true,
};

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
      const value = fact.allowed.length === 1 ? fact.allowed[0] : nearest(fact.value, fact.allowed);
      return value === undefined ? [] : [{ kind: 'change-field', object, path, instead: fact.value, value }];
    }
    case 'field-required':
      return requiredRemedies(fact.field, field);
    case 'field-value':
      return nameRemedies(field);
    case 'selector-mismatch':
      return (fact.unlike ?? []).slice(0, 1).map((label) => labelRemedy(label, object));
    case 'memory-too-small':
      // Of 128m the unit was meant, too.
      return [{ kind: 'change-field', object, path, instead: fact.value, value: `${Number.parseFloat(fact.value)}Mi` }];
    case 'quantity-invalid':
      return quantityRemedies(fact.value ?? '', field);
    case 'field-type':
      // What is not there has no other type.
      return fact.type === 'null' ? [] : [{ kind: 'change-type', object, path, type: fact.wanted, value: fact.value }];
    case 'field-unknown':
      return indentRemedies(field);
    case 'namespace-missing':
      return fact.name === undefined ? [] : [{ kind: 'create-object', object: { kind: 'Namespace', name: fact.name } }];
    default:
      return [];
  }
}

function labelRemedy({ key, wanted, found, near }: UnlikeLabel, object: ResourceId): Remedy {
  const [name, instead] = found === undefined ? [key, near] : [wanted, found];
  if (instead !== undefined) return { kind: 'use-name', name, instead, isEither: true };
  return { kind: 'change-field', object, path: [...podLabels, key], value: wanted, how: 'add' };
}

export const podLabels = ['spec', 'template', 'metadata', 'labels'];

/** What nearly every chart writes into a field that has no default. */
function requiredRemedies(field: string, { id: object, path }: RefusedField): readonly Remedy[] {
  const name = field.split('.').at(-1) ?? '';
  const value = object.kind.endsWith('RoleBinding') || name !== 'namespace' ? usualValues[name] : undefined;
  if (value === undefined) return [];
  // Of a field that is not there the path is that of what should have it.
  return [{ kind: 'change-field', object, path: path.at(-1) === name ? path : [...path, name], value }];
}

const usualValues: Readonly<Record<string, string>> = { pathType: 'Prefix', namespace: '{{ .Release.Namespace }}' };

/** Of a name that other fields know, the one that was probably meant: a volume, a field of the pod. */
function nameRemedies({ id: object, path, object: holder }: RefusedField): readonly Remedy[] {
  const instead = valueAtPath(holder, path);
  if (typeof instead !== 'string') return [];
  // A headless Service: `none` is read as an address.
  if (path.at(-1) === 'clusterIP' && /^none$/i.test(instead))
    return [{ kind: 'change-field', object, path, instead, value: 'None' }];
  const value = nearest(instead, knownNames(holder, path));
  return value === undefined ? [] : [{ kind: 'change-field', object, path, instead, value }];
}

function knownNames(object: object, path: FieldPath): readonly string[] {
  if (path.at(-1) === 'fieldPath') return podFields;
  if (path.at(-3) !== 'volumeMounts' || path.at(-1) !== 'name') return [];
  const volumes = valueAtPath(object, [...path.slice(0, -5), 'volumes']);
  const claims = valueAtPath(object, ['spec', 'volumeClaimTemplates']);
  return [
    ...(Array.isArray(volumes) ? volumes.map((one) => String(one?.name)) : []),
    ...(Array.isArray(claims) ? claims.map((one) => String(one?.metadata?.name)) : []),
  ];
}

/** What was probably meant by a text that is no quantity: `512Mi` or `512M` by `512MB`. */
function quantityRemedies(text: string, { id: object, path }: RefusedField): readonly Remedy[] {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?) ?([kKmMgGtTpPeE])i?[bB]?(?:ytes)?$/.exec(text) ?? [];
  if (number === undefined) return [];
  if (path.at(-1) === 'cpu') {
    return unit === 'm' ? [{ kind: 'change-field', object, path, instead: text, value: `${number}m` }] : [];
  }
  const value = `${number}${unit.toUpperCase()}i`;
  const or = `${number}${unit === 'k' || unit === 'K' ? 'k' : unit.toUpperCase()}`;
  return [{ kind: 'change-field', object, path, instead: text, value, or }];
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

/** Of a URL, or a host with a port, the host. */
const hostIn = (text: string): string => text.replace(/^[a-z]+:\/\/([^/:?#]*).*$/i, '$1').replace(/:\d+$/, '');

const corrections: Readonly<Record<NameRule, (text: string) => string>> = {
  subdomain: (text) => nearestSubdomain(hostIn(text)),
  label: nearestLabel,
  'dns-1035-label': (text) => nearestLabel(text).replace(/^[^a-z]+/, ''),
  'without-dots': nearestLabel,
  'label-key': (text) => {
    const [name = '', prefix] = text.split('/').reverse();
    const right = corrections['label-value'](name);
    return prefix === undefined ? right : `${nearestSubdomain(prefix)}/${right}`;
  },
  'label-value': (text) => withDashes(text).replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, ''),
  'config-key': withDashes,
  'letters-and-hyphens': nearestLabel,
  length: (text) => text,
};
