import { Quote } from '../quote.ts';
import type { NameRule, RefusalFact } from '../refusal-fact.ts';
import type { FieldType } from '../remedy.ts';

/** An API server's Status, as far as it says why it refuses. */
export interface ApiStatus {
  readonly status: number;
  readonly reason: string;
  /** The plural of what it is about: `namespaces` where that of the object is not there. */
  readonly about?: string | undefined;
  readonly message: string;
  readonly causes: readonly ApiCause[];
}

interface ApiCause {
  readonly field?: string | undefined;
  readonly reason?: string | undefined;
  readonly message?: string | undefined;
}

/**
 * Why the API server refuses an object, a fact for each thing that is wrong. The HTTP status, the reason and the causes
 * decide; the tables below read what only the sentences say.
 */
export function refusalFacts(answer: ApiStatus): readonly RefusalFact[] {
  const { status, reason, causes, message } = answer;
  const words = new Quote(shortened(message));
  if (reason === 'Conflict' && causes.length > 0) return [conflictIn(causes)];
  if (status === 404 && answer.about === 'namespaces')
    return [{ code: 'namespace-missing', name: namespaceIn(message) }];
  const [, policy, binding, denied] = policyDenial.exec(message) ?? [];
  if (policy !== undefined && denied !== undefined)
    return [{ code: 'policy-denied', policy, binding, words: new Quote(shortened(denied)) }];
  const found = causes.length > 0 ? causes.flatMap(causeFacts) : sentenceFacts(message);
  if (found.length > 0) return merged(found);
  if (status !== 403) return [{ code: 'refused', status, reason, words }];
  if (quota.test(message)) return [{ code: 'quota-exceeded', words }];
  const webhook = denial.exec(message)?.[1];
  return [webhook === undefined ? { code: 'forbidden', words } : { code: 'admission-denied', webhook, words }];
}

/** policy/validating/dispatcher.go */
const policyDenial =
  /^\S+ (?:"[^"]*" )?is forbidden: ValidatingAdmissionPolicy '([^']+)' (?:with binding '([^']+)' )?denied request: (.*)$/s;

/** The fields that the server says cannot be changed once the object is there; [] where it refuses something else. */
export function immutableFields({ status, causes }: ApiStatus): readonly string[] {
  if (status !== 422) return [];
  return [...new Set(causes.flatMap(({ field, message = '' }) => (field && immutable.test(message) ? [field] : [])))];
}

/** Whether the account may not write the object, rather than the object is wrong: `cmd` of RBAC (rbac.go). */
export const lacksRight = ({ status, message }: ApiStatus): boolean =>
  status === 403 &&
  /^\S+ (?:"[^"]*" )?is forbidden: User "[^"]*" cannot (?:patch|create|update) resource /.test(message);

/** Whether nothing can be created in a namespace because it is being deleted (admission/plugin/namespace/lifecycle). */
export const isNamespaceGoing = ({ status, causes }: ApiStatus): boolean =>
  status === 403 && causes.some(({ reason }) => reason === 'NamespaceTerminating');

/** apiserver/pkg/admission/plugin/webhook/errors: NewDryRunUnsupportedErr, which comes without details. */
export const lacksDryRun = ({ status, message }: ApiStatus): boolean =>
  status === 400 && /^admission webhook "[^"]*" does not support dry run$/.test(message);

/**
 * A webhook that the API server could not ask, and the Service behind it, which it alone names at the beginning of a
 * sentence of its own (admission/plugin/webhook/errors, apiextensions conversion): `Internal error occurred: failed calling
 * webhook "v.example.com": … https://hooks.shop.svc:443/validate…`, `conversion webhook for … failed: … service "hooks" …`.
 */
export function unansweredWebhook({
  status,
  message,
}: Pick<ApiStatus, 'status' | 'message'>):
  | { readonly webhook: string | undefined; readonly service: string | undefined }
  | undefined {
  const unanswered = /^(?:Internal error occurred: )?(?:failed calling webhook |conversion webhook for )/;
  if (status < 500 || !unanswered.test(message)) return undefined;
  const webhook = /failed calling webhook "([^"]+)"/.exec(message)?.[1];
  const service = /https:\/\/([^./:"]+)\.[^./:"]+\.svc\b/.exec(message)?.[1] ?? /service "([^"]+)"/.exec(message)?.[1];
  return { webhook, service };
}

/** Why the API server answers 500, by what its sentence has in it; the first that fits counts. */
const troubles = [
  // What stays wrong: managedfields, admission.
  ['lasting', /field not declared in schema|failed to create typed patch|denied the request/i],
  // A webhook for which the API server itself has waited already.
  [
    'webhook-timeout',
    /(failed calling webhook|conversion webhook for).*(deadline exceeded|Client\.Timeout|i\/o timeout)/i,
  ],
  ['webhook', /failed calling webhook|conversion webhook for .* failed/i],
  // etcd, an aggregated API, and an API server that has just started, which calls the range of addresses full.
  [
    'passing',
    /etcdserver|leader changed|rpc error|connection re(fused|set)|deadline exceeded|timed? ?out|EOF|no endpoints available|failed to allocate a/i,
  ],
] as const;

export const serverTrouble = (text: string): (typeof troubles)[number][0] | undefined =>
  troubles.find(([, says]) => says.test(text))?.[0];

/** managedfields/internal/conflict.go: `conflict with "kubectl-edit" using apps/v1: .spec.replicas`; causes name the fields. */
function conflictIn(causes: readonly ApiCause[]): RefusalFact {
  const managers = causes.flatMap(({ message = '' }) => /conflict with "([^"]+)"/.exec(message)?.[1] ?? []);
  return { code: 'conflict', fields: fieldsOf(causes), managers: [...new Set(managers)] };
}

const fieldsOf = (causes: readonly ApiCause[]): readonly string[] => [
  ...new Set(causes.flatMap(({ field }) => (field === undefined ? [] : [field.replace(/^\./, '')]))),
];

/** apiserver/pkg/registry/generic: `namespaces "shop" not found`. */
const namespaceIn = (message: string): string | undefined => /^namespaces "([^"]+)" not found/.exec(message)?.[1];

/** plugin/pkg/admission/resourcequota: `exceeded quota: compute, requested: pods=1, used: pods=4, limited: pods=4`. */
const quota = /: exceeded quota: /;
/** apiserver/pkg/admission/plugin/webhook/errors: `admission webhook "policy.example.com" denied the request: no root`. */
const denial = /(?:admission webhook|ValidatingAdmissionPolicy) '?"?([^"' ]+)/;

/**
 * The API server prints all of an immutable part, a page of JSON, before it says what is wrong, and of a claim the
 * difference as lines of JSON after it (pkg/apis/core/validation, ValidatePersistentVolumeClaimUpdate).
 */
export const withoutDump = (message: string): string =>
  message
    .replace(/(?<=Invalid value: )\{.{200,}?\}(?=: )/g, '{…}')
    .replace(/\n@@ -\d+,\d+ \+\d+,\d+ @@\n(?:[ +-].*(?:\n|$))*\n*/g, '');

/** The API server's sentence without the words that name the object once more. */
const shortened = (message: string): string =>
  withoutDump(message)
    .replace(/ \(e\.g\. [^()]*regex used for validation is '[^']*'\)/g, '')
    .replace(/^failed to create typed patch object \([^)]*\): /, '')
    .replace(/^\S+ "[^"]*" is invalid: /, '');

/**
 * How the validations of Kubernetes' kinds say that a field is immutable (apimachinery/pkg/api/validation/objectmeta.go,
 * pkg/apis/STAR/validation): `field is immutable`, `may not change once set`, `updates to statefulset spec for fields
 * other than … are forbidden`, `spec is immutable after creation except resources.requests for bound claims`.
 */
const immutable =
  /immutable|may not (?:be )?change|cannot (?:be )?change|(?:updates?|changes?) .*(?:forbidden|not allowed)|may not change fields/i;

/** A cause has its field and its kind; what else is known of it is in its sentence. */
function causeFacts({ field = '', reason = '', message = '' }: ApiCause): readonly RefusalFact[] {
  if (field === '' || field.startsWith('<')) return message === '' ? [] : sentenceFacts(message);
  if (immutable.test(message)) return [{ code: 'field-immutable', fields: [field] }];
  const name = nameFact(field, message);
  if (name !== undefined) return [name];
  const choice = choiceFact(field, message);
  if (choice !== undefined) return [choice];
  const words = new Quote(shortened(message));
  switch (reason) {
    case 'FieldValueTypeInvalid': {
      const [, wanted = '', type = ''] = bodyType.exec(message) ?? [];
      const known = bodyTypes[wanted];
      return known === undefined
        ? [{ code: 'field-value', field, words }]
        : [{ code: 'field-type', field, wanted: known, type }];
    }
    case 'FieldValueRequired':
      return [{ code: 'field-required', field, words: requiredWords(message) }];
    case 'FieldValueForbidden':
      return [{ code: 'field-forbidden', field, words }];
    case 'FieldValueDuplicate':
      return [{ code: 'field-duplicate', field, key: /^Duplicate value: "([^"]*)"/.exec(message)?.[1] }];
    default:
      if (isSelector.test(message)) return [{ code: 'selector-mismatch', field }];
      return [{ code: 'field-value', field, words, ...besideOf(field, message) }];
  }
}

/** How the API server says which words a field may have. */
const choices: readonly RegExp[] = [
  // field.NotSupported: `Unsupported value: "Alway": supported values: "Always", "Never"`
  /^Unsupported value: (.+): supported values: ("[^"]*"(?:, "[^"]*")*)/,
  // pkg/apis/apps/validation, of a StatefulSet: `Invalid value: "Paralel": must be 'OrderedReady' or 'Parallel'`
  /^Invalid value: (.+): must be ('[^']*'(?:(?:, | or |, or )'[^']*')+)$/,
];

/** A word that is none of those that the API server lists. */
function choiceFact(field: string, message: string): RefusalFact | undefined {
  if (message.length > longestMessage) return undefined;
  const [, shown = '', list = ''] = choices.map((one) => one.exec(message)).find((found) => found !== null) ?? [];
  const allowed = [...list.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, one, other]) => one ?? other ?? '');
  const said = jsonIn(shown);
  if (typeof said === 'string') return { code: 'field-choice', field, value: said, allowed };
  if (typeof said !== 'object' || said === null) return undefined;
  // pkg/apis/apps/validation names a strategy for its type: `{"Type":"X","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}`
  const [, value] = Object.entries(said).find(([key]) => key.toLowerCase() === 'type') ?? [];
  return typeof value === 'string' ? { code: 'field-choice', field: `${field}.type`, value, allowed } : undefined;
}

/** kube-openapi/pkg/validation/errors/schema.go: of a custom resource `spec.size in body must be of type integer: "string"`. */
const bodyType = / in body must be of type (\w+): "(\w+)"$/;
const bodyTypes: Readonly<Record<string, FieldType>> = {
  string: 'string',
  boolean: 'boolean',
  integer: 'integer',
  number: 'number',
  array: 'list',
  object: 'map',
};

/** pkg/apis/core/validation: a request is at most its limit, and a field of a pod is that of a version. */
function besideOf(field: string, message: string): { readonly beside?: string } {
  const [, resource] = /must be (?:less than or )?equal to (\S+) limit of /.exec(message) ?? [];
  if (resource !== undefined) return { beside: `${field.replace(/\.requests$/, '.limits')}.${resource}` };
  const isOfVersion = /error converting fieldPath: unsupported pod version/.test(message);
  return isOfVersion ? { beside: field.replace(/fieldPath$/, 'apiVersion') } : {};
}

/** pkg/apis/apps/validation: of a workload whose pods its selector does not choose. */
const isSelector = /`selector` does not match template `labels`/;

/** field.Required: `Required value`, or `Required value: must provide at least one port`. */
function requiredWords(message: string): Quote | undefined {
  const more = /^Required value: (.*)$/s.exec(message)?.[1];
  return more === undefined ? undefined : new Quote(more);
}

/** apimachinery/pkg/util/validation/validation.go: what a name must be, by the words that begin the rule. */
const nameRules: readonly (readonly [string, NameRule])[] = [
  ['a lowercase RFC 1123 subdomain must consist of ', 'subdomain'],
  ['a lowercase RFC 1123 label must consist of ', 'label'],
  ['a DNS-1035 label must consist of ', 'dns-1035-label'],
  ['must not contain dots', 'without-dots'],
  ['a valid label must be an empty string or consist of ', 'label-value'],
  ['prefix part ', 'label-key'],
  ['name part ', 'label-key'],
  ['a valid label key must consist of ', 'label-key'],
  ['a valid config key must consist of ', 'config-key'],
  ['must contain only alphanumeric characters (a-z, 0-9), and hyphens (-)', 'letters-and-hyphens'],
];

/** `Invalid value: "My_App": a lowercase RFC 1123 label must …`, or `… must be no more than 63 characters`. */
function nameFact(field: string, message: string): RefusalFact | undefined {
  const [head, quoted = ''] = /^Invalid value: ("(?:[^"\\]|\\.)*"): /.exec(message) ?? [];
  const value = jsonIn(quoted);
  if (head === undefined || typeof value !== 'string') return undefined;
  const said = message.slice(head.length);
  const rule = nameRules.find(([words]) => said.startsWith(words))?.[1];
  if (rule !== undefined) return { code: 'name-invalid', field, value, rules: [rule] };
  const longest = /^must be no more than (\d+) (?:bytes|characters)/.exec(said)?.[1];
  return (longest && { code: 'name-invalid', field, value, rules: ['length'], longest: Number(longest) }) || undefined;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Go quotes some characters in ways that JSON does not know.
    return undefined;
  }
}

/** The type of a field by that of Go. */
function wantedOf(goType: string): FieldType {
  return goScalars[goType] ?? (goType.startsWith('[]') ? 'list' : 'map');
}

/** As structured-merge-diff calls the types of fields. */
const schemaTypes: Readonly<Record<string, FieldType>> = { numeric: 'number', 'untyped scalar': 'scalar' };

const goScalars: Readonly<Record<string, FieldType>> = {
  string: 'string',
  '[]uint8': 'string',
  bool: 'boolean',
  int32: 'integer',
  int64: 'integer',
  float64: 'number',
};

interface Row {
  /** With the flag g: a sentence may name several. */
  readonly pattern: RegExp;
  readonly fact: (found: RegExpExecArray) => RefusalFact;
}

/** What comes without causes: the typed errors of server-side apply, strict decoding, and what cannot be decoded. */
const sentences: readonly Row[] = [
  {
    // structured-merge-diff/typed: `.spec.replicas: expected numeric (int or float), got string`,
    // `.spec.env[name="A"].value: expected string, got &value.valueUnstructured{Value:8080}`,
    // `.rules[0].verbs: expected list, got &{get}`, `.spec.replicas: expected numeric (int or float), got []interface {}`
    pattern:
      /(?:^|[\s(])\.?(\S+): expected (string|boolean|numeric|untyped scalar|list|map)(?: \([^)]*\))?, got (?:&(?:value\.valueUnstructured)?\{(?:Value:)?(.*)\}|(\w+|\S+ \{\}))/g,
    fact: ([, field = '', wanted = '', value, type]) => ({
      code: 'field-type',
      field,
      wanted: schemaTypes[wanted] ?? (wanted as FieldType),
      value,
      type,
    }),
  },
  {
    // structured-merge-diff/typed/validate.go: `.spec.env: element 1: associative list with keys may not have non-map elements`
    pattern: /(?:^|[\s(])\.?(\S+): element (\d+): associative list with keys may not have non-map elements/g,
    fact: ([, field = '', index]) => ({ code: 'field-type', field: `${field}[${index}]`, wanted: 'map' }),
  },
  {
    // … `.spec.env: element 1: associative list with keys has an element that omits all key fields ["name"] (and …)`
    pattern:
      /(?:^|[\s(])\.?(\S+): element (\d+): associative list with keys has an element that omits all key fields \["(\w+)"/g,
    fact: ([, field = '', index, key]) => ({ code: 'field-required', field: `${field}[${index}].${key}` }),
  },
  {
    // structured-merge-diff/typed/validate.go: `.spec.foo: field not declared in schema`
    pattern: /(?:^|[\s(])\.?(\S+): field not declared in schema/g,
    fact: ([, field = '']) => ({ code: 'field-unknown', field }),
  },
  {
    // apimachinery/pkg/runtime, strict decoding: `unknown field "spec.foo"`
    pattern: /unknown field "([^"]+)"/g,
    fact: ([, field = '']) => ({ code: 'field-unknown', field }),
  },
  {
    // structured-merge-diff/typed/helpers.go: `.spec.env: duplicate entries for key [name="A"]`, `… [port=80,protocol="TCP"]`
    pattern: /(?:^|[\s(])\.?(\S+): duplicate entries for key \[(?:\w+="([^"]+)"|([^[\]]+))\]/g,
    fact: ([, field = '', name, keys]) => ({ code: 'field-duplicate', field, key: name ?? keys }),
  },
  {
    // encoding/json, which leaves out the items of lists: `json: cannot unmarshal number 1.5 into Go struct field
    // Probe.spec.containers.readinessProbe.periodSeconds of type int32`
    pattern: /json: cannot unmarshal (\w+)(?: (\S+))? into Go struct field \w+\.(\S+) of type (\S+)/g,
    fact: ([, type = '', value, field = '', goType = '']) => ({
      code: 'field-type',
      field,
      wanted: wantedOf(goType),
      value,
      type,
    }),
  },
  {
    // apimachinery/pkg/api/resource/quantity.go: ErrFormatWrong, ErrSuffix; the server does not say which field it is.
    pattern: /quantities must match the regular expression|unable to parse quantity's suffix/g,
    fact: () => ({ code: 'quantity-invalid' }),
  },
  {
    // encoding/base64, of a Secret; the server does not say which key it is.
    pattern: /illegal base64 data at input byte/g,
    fact: () => ({ code: 'encoding-invalid' }),
  },
];

/** The patterns take quadratic time, and no server says so much of one object. */
const longestMessage = 20_000;

const sentenceFacts = (message: string): readonly RefusalFact[] =>
  message.length > longestMessage
    ? []
    : sentences.flatMap(({ pattern, fact }) => [...message.matchAll(pattern)].map(fact));

/** Of one name all rules that it breaks are one fact, and so are fields that cannot be changed. */
function merged(facts: readonly RefusalFact[]): readonly RefusalFact[] {
  const all: RefusalFact[] = [];
  for (const fact of facts) {
    const at = all.findIndex((one) => isSame(one, fact));
    const before = all[at];
    if (before === undefined) all.push(fact);
    else all[at] = joined(before, fact);
  }
  return all;
}

function isSame(one: RefusalFact, other: RefusalFact): boolean {
  if (one.code !== other.code) return false;
  if (one.code === 'name-invalid' && other.code === 'name-invalid')
    return one.field === other.field && one.value === other.value;
  return one.code === 'field-immutable' || JSON.stringify(one) === JSON.stringify(other);
}

function joined(one: RefusalFact, other: RefusalFact): RefusalFact {
  if (one.code === 'name-invalid' && other.code === 'name-invalid')
    return {
      ...one,
      ...other,
      rules: [...new Set([...one.rules, ...other.rules])],
      longest: one.longest ?? other.longest,
    };
  if (one.code === 'field-immutable' && other.code === 'field-immutable')
    return { ...one, fields: [...new Set([...one.fields, ...other.fields])] };
  return one;
}
