import { pathText } from '../manifest/field-path.ts';
import type { NameRule, RefusalFact } from '../problem/refusal-fact.ts';
import type { FieldType } from '../problem/remedy.ts';
import { unreachable } from '../support/errors.ts';
import { quoted } from './quote.ts';

/** Why an object was refused, in one line. */
export function refusalText(fact: RefusalFact): string {
  switch (fact.code) {
    case 'refused':
    case 'forbidden':
    case 'quota-exceeded':
    case 'admission-denied':
      return quoted(fact.words);
    case 'policy-denied':
      return `ValidatingAdmissionPolicy ${fact.policy} denies ${policed(fact)}: ${quoted(fact.words)}`;
    case 'policy-warned':
      return `ValidatingAdmissionPolicy ${fact.policy} warns about ${policed(fact)}: ${quoted(fact.words)}`;
    case 'policy-not-judged':
      return notEvaluatedText(fact);
    case 'field-unknown':
      return `unknown field ${fact.field}`;
    case 'field-type':
      return `${fact.field} must be ${typeText[fact.wanted]}${wantedText(fact.value, fact.type)}`;
    case 'field-value':
    case 'field-forbidden':
      return `${fact.field}: ${quoted(fact.words)}`;
    case 'field-choice':
      return `${fact.field} is ${JSON.stringify(fact.value)} but must be ${fact.allowed.length > 1 ? 'one of ' : ''}${fact.allowed.join(', ')}`;
    case 'field-required':
      return `${fact.field} is not set${fact.words === undefined ? '' : `: ${quoted(fact.words)}`}`;
    case 'field-duplicate':
      return fact.key === undefined ? `${fact.field} is a duplicate` : `${fact.field} has ${fact.key} twice`;
    case 'field-immutable':
      return `${fact.fields.join(', ')} cannot be changed in place`;
    case 'name-invalid':
      return `${fact.field} is ${JSON.stringify(fact.value)}: ${fact.rules.map((rule) => ruleText(rule, fact.longest)).join('; ')}`;
    case 'encoding-invalid':
      return `${fact.field ?? 'a value'} is not base64: encode it (in a template: {{ … | b64enc }}), or write the plain text under stringData`;
    case 'quantity-invalid':
      return `${fact.value === undefined ? 'a value' : `${fact.field}: ${JSON.stringify(fact.value)}`} is not a valid quantity; write for example 250m, 64M or 64Mi`;
    case 'selector-mismatch':
      return selectorText(fact);
    case 'node-port-outside':
      return `${fact.field} is ${fact.port}: node ports range from ${fact.from} to ${fact.to} by default`;
    case 'memory-too-small':
      return `${fact.field} is ${JSON.stringify(fact.value)}, which counts bytes: no container starts with so little memory`;
    case 'conflict':
      return `${fact.fields.join(', ')} ${fact.fields.length === 1 ? 'is' : 'are'} managed by ${fact.managers.join(', ')}`;
    case 'namespace-missing':
      return fact.name === undefined ? 'the namespace does not exist' : `namespace ${fact.name} does not exist`;
    case 'not-sent':
      return 'not sent to the API server';
    case 'left-over':
      return leftOverText(fact);
    case 'kind-unknown':
      return `no matches for kind "${fact.kind}" in version "${fact.apiVersion}"`;
    case 'object-malformed':
      return fact.parts.map(({ path, reason }) => `${path.length === 0 ? 'it' : pathText(path)} ${reason}`).join('; ');
    case 'owned-elsewhere':
      return `already exists and belongs to ${ownerText(fact.owner)}`;
    case 'name-missing':
      return fact.isEmpty ? `${pathText(fact.path)} is empty` : `it has no ${pathText(fact.path)}`;
    default:
      return unreachable(fact);
  }
}

const policed = ({ isOfPods }: { readonly isOfPods?: boolean | undefined }): string =>
  isOfPods === true ? 'its pods' : 'this object';

function notEvaluatedText(fact: Extract<RefusalFact, { code: 'policy-not-judged' }>): string {
  if (fact.why === 'mutating')
    return `MutatingAdmissionPolicy ${fact.policy} may change ${policed(fact)}; only a cluster can say how`;
  return `policy ${fact.policy} was not evaluated${fact.words === undefined ? '' : `: ${quoted(fact.words)}`}`;
}

function selectorText({ unlike = [] }: Extract<RefusalFact, { code: 'selector-mismatch' }>): string {
  const rule = 'spec.template.metadata.labels must have every label of spec.selector.matchLabels, with the same value';
  const texts = unlike.map(({ key, wanted, found }) =>
    found === undefined
      ? `${key} is missing`
      : `${key} is ${JSON.stringify(found)} instead of ${JSON.stringify(wanted)}`,
  );
  return texts.length === 0 ? rule : `${rule}: ${texts.join(', ')}`;
}

const leftOverText = ({ fields, words }: Extract<RefusalFact, { code: 'left-over' }>): string =>
  words === undefined
    ? `an earlier run left this object behind, and the API server does not allow changing ${fields.join(', ')}`
    : `an earlier run left this object behind: ${quoted(words)}`;

const ownerText = (owner: Extract<RefusalFact, { code: 'owned-elsewhere' }>['owner']): string =>
  owner === undefined ? 'no release' : `release ${owner.release} in ${owner.namespace}`;

/** What a field must be. */
export const typeText: Readonly<Record<FieldType, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  scalar: 'a number or a string',
  boolean: 'true or false',
  list: 'a list',
  map: 'a map',
};

const wantedText = (value: string | undefined, type: string | undefined): string =>
  value !== undefined
    ? `, not ${type === 'string' ? JSON.stringify(value) : value}`
    : type === undefined
      ? ''
      : `, not ${type === 'null' ? type : `a ${type}`}`;

function ruleText(rule: NameRule, longest: number | undefined): string {
  switch (rule) {
    case 'subdomain':
      return 'only lowercase letters, digits, - and . are allowed, starting and ending with a letter or digit';
    case 'label':
      return 'only lowercase letters, digits and - are allowed, starting and ending with a letter or digit';
    case 'dns-1035-label':
      return 'only lowercase letters, digits and - are allowed, starting with a letter and not ending with -';
    case 'without-dots':
      return 'no dots are allowed';
    case 'label-key':
      return 'only letters, digits, -, _ and . are allowed, after an optional lowercase domain and /';
    case 'label-value':
      return 'only letters, digits, -, _ and . are allowed, starting and ending with a letter or digit';
    case 'config-key':
      return 'only letters, digits, -, _ and . are allowed';
    case 'letters-and-hyphens':
      return 'only lowercase letters, digits and - are allowed';
    case 'length':
      return `at most ${longest} characters are allowed`;
    default:
      return unreachable(rule);
  }
}
