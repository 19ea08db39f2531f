import { type Json, type JsonObject, plain, valueAt } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { badRequest } from '../status.ts';

export type Predicate = (object: Resource) => boolean;

const everything: Predicate = () => true;

interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt';
  readonly values: readonly string[];
}

/** A label selector as clients send it: `a=b,c!=d,e in (f,g),!h,i`. */
export function labelPredicate(selector: string | undefined): Predicate {
  if (selector === undefined || selector.trim() === '') return everything;
  const requirements = splitSelector(selector).map(parseRequirement);
  return (object) => requirements.every((requirement) => matches(requirement, object.metadata.labels ?? {}));
}

/** The commas that are not in parentheses separate requirements. */
const splitSelector = (selector: string): string[] => selector.split(/,(?![^(]*\))/).map((part) => part.trim());

function parseRequirement(text: string): Requirement {
  const set = /^([^\s!=,()]+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(text);
  if (set !== null) {
    const values = (set[3] as string).split(',').map((value) => value.trim());
    return { key: set[1] as string, operator: set[2] as 'in' | 'notin', values };
  }
  const equality = /^([^\s!=,()<>]+)\s*(==|=|!=)\s*([^\s!=,()<>]*)$/.exec(text);
  if (equality !== null) {
    return {
      key: equality[1] as string,
      operator: equality[2] === '!=' ? 'notin' : 'in',
      values: [equality[3] as string],
    };
  }
  const comparison = /^([^\s!=,()<>]+)\s*([<>])\s*(\d+)$/.exec(text);
  if (comparison !== null) {
    return {
      key: comparison[1] as string,
      operator: comparison[2] === '>' ? 'gt' : 'lt',
      values: [comparison[3] as string],
    };
  }
  const existence = /^(!?)\s*([^\s!=,()<>]+)$/.exec(text);
  if (existence !== null) {
    return { key: existence[2] as string, operator: existence[1] === '!' ? '!' : 'exists', values: [] };
  }
  throw badRequest(
    `unable to parse requirement: found '${text.split(/\s+/).at(-1)}', expected: in, notin, =, ==, !=, gt, lt`,
  );
}

function matches({ key, operator, values }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'lt':
      return value !== undefined && Number(value) < Number(values[0]);
  }
}

const commonFields = ['metadata.name', 'metadata.namespace'];

const fieldsByKind: Readonly<Record<string, readonly string[]>> = {
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  Event: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'regarding.kind',
    'regarding.namespace',
    'regarding.name',
    'regarding.uid',
    'reason',
    'reportingComponent',
    'reportingController',
    'source',
    'type',
  ],
  Secret: ['type'],
  Namespace: ['status.phase'],
  ReplicaSet: ['status.replicas'],
  ReplicationController: ['status.replicas'],
  Job: ['status.successful'],
  Node: ['spec.unschedulable'],
  Service: ['spec.clusterIP', 'spec.type'],
  CertificateSigningRequest: ['spec.signerName'],
};

/** A field selector: `metadata.name=x,status.phase!=Running`. Only the fields that Kubernetes knows can be asked for. */
export function fieldPredicate(selector: string | undefined, kind: string): Predicate {
  if (selector === undefined || selector === '') return everything;
  const terms = selector.split(',').map((term) => parseFieldTerm(term, kind));
  return (object) => terms.every(({ path, value, equal }) => (fieldText(object, path) === value) === equal);
}

function parseFieldTerm(term: string, kind: string): { path: string; value: string; equal: boolean } {
  const found = /^([^=!]+)(==|!=|=)(.*)$/s.exec(term);
  if (found === null) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
  const path = found[1] as string;
  const known = [...commonFields, ...(fieldsByKind[kind] ?? [])];
  if (!known.includes(path)) {
    const list = known.map((field) => JSON.stringify(field)).join(', ');
    throw badRequest(`${JSON.stringify(path)} is not a known field selector: only ${list}`);
  }
  return { path, value: (found[3] as string).replace(/\\([\\,=])/g, '$1'), equal: found[2] !== '!=' };
}

function fieldText(object: Resource, path: string): string {
  if (path === 'source') return plainText(valueAt(object, 'source', 'component'));
  const value = valueAt(object as JsonObject, ...path.split('.'));
  return path === 'spec.unschedulable' || path === 'spec.hostNetwork' ? plain(value ?? false) : plainText(value);
}

const plainText = (value: Json | undefined): string => (value === undefined || value === null ? '' : plain(value));

/** metav1.LabelSelector as a predicate over labels; an absent selector matches nothing, an empty one everything. */
export function matchesLabelSelector(
  selector: JsonObject | undefined,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  if (selector === undefined) return false;
  const have = labels ?? {};
  for (const [key, value] of Object.entries((selector.matchLabels ?? {}) as JsonObject)) {
    if (have[key] !== value) return false;
  }
  const expressions = (selector.matchExpressions ?? []) as JsonObject[];
  return expressions.every((expression) => matchesExpression(expression, have));
}

function matchesExpression(expression: JsonObject, labels: Readonly<Record<string, string>>): boolean {
  const key = plain(expression.key);
  const values = (expression.values ?? []) as string[];
  switch (expression.operator) {
    case 'In':
      return matches({ key, operator: 'in', values }, labels);
    case 'NotIn':
      return matches({ key, operator: 'notin', values }, labels);
    case 'Exists':
      return matches({ key, operator: 'exists', values }, labels);
    default:
      return matches({ key, operator: '!', values }, labels);
  }
}
