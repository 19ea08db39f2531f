import { type Json, type JsonObject, plain, valueAt } from '../../support/json.ts';
import type { Resource } from '../resource.ts';
import { badRequest } from '../status.ts';

export type Predicate = (object: Resource) => boolean;

const everything: Predicate = () => true;

type Labels = Readonly<Record<string, string>>;
type Test = (value: string | undefined, wanted: readonly string[]) => boolean;

const isOneOf: Test = (value, wanted) => value !== undefined && wanted.includes(value);
const isNoneOf: Test = (value, wanted) => !isOneOf(value, wanted);
const exists: Test = (value) => value !== undefined;

const operators: Readonly<Record<string, Test>> = {
  in: isOneOf,
  '=': isOneOf,
  '==': isOneOf,
  notin: isNoneOf,
  '!=': isNoneOf,
  '!': (value) => value === undefined,
  '>': (value, [bound]) => value !== undefined && Number(value) > Number(bound),
  '<': (value, [bound]) => value !== undefined && Number(value) < Number(bound),
};

const requirementForm =
  /^(?:(!)\s*(?=[^\s!=,()<>]+$))?([^\s!=,()<>]+)(?:\s*(==?|!=)\s*([^\s!=,()<>]*)|\s*([<>])\s*(\d+)|\s+(in|notin)\s*\(([^)]*)\))?$/;

/** A label selector as clients send it: `a=b,c!=d,e in (f,g),!h,i`. */
export function labelPredicate(selector: string | undefined): Predicate {
  if (selector === undefined || selector.trim() === '') return everything;
  const requirements = splitSelector(selector).map(parseRequirement);
  return (object) => requirements.every((holds) => holds(object.metadata.labels ?? {}));
}

/** The commas that are not in parentheses separate requirements. */
const splitSelector = (selector: string): string[] => selector.split(/,(?![^(]*\))/).map((part) => part.trim());

function parseRequirement(text: string): (labels: Labels) => boolean {
  const found = requirementForm.exec(text);
  if (found === null) {
    const word = text.split(/\s+/).at(-1);
    throw badRequest(`unable to parse requirement: found '${word}', expected: in, notin, =, ==, !=, gt, lt`);
  }
  const [, denied, key = '', sign, value, comparison, bound = '', set, list] = found;
  const wanted = list?.split(',').map((one) => one.trim()) ?? [value ?? bound];
  const test = operators[denied ?? sign ?? comparison ?? set ?? ''] ?? exists;
  return (labels) => test(valueOf(labels, key), wanted);
}

const valueOf = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

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
export function matchesLabelSelector(selector: JsonObject | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false;
  const isMet = ({ key, operator, values }: JsonObject): boolean =>
    (expressionTests[plain(operator)] ?? exists)(valueOf(labels, plain(key)), (values ?? []) as string[]);
  return (
    Object.entries((selector.matchLabels ?? {}) as JsonObject).every(([key, value]) => labels[key] === value) &&
    ((selector.matchExpressions ?? []) as JsonObject[]).every(isMet)
  );
}

const expressionTests: Readonly<Record<string, Test>> = {
  In: isOneOf,
  NotIn: isNoneOf,
  DoesNotExist: (value) => value === undefined,
  Gt: operators['>'] as Test,
  Lt: operators['<'] as Test,
};
