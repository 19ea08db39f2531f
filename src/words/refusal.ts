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
      return `ValidatingAdmissionPolicy ${fact.policy} denies ${fact.isOfPods ? 'its pods' : 'it'}: ${quoted(fact.words)}`;
    case 'policy-warned':
      return `ValidatingAdmissionPolicy ${fact.policy} warns of ${fact.isOfPods ? 'its pods' : 'it'}: ${quoted(fact.words)}`;
    case 'policy-not-judged':
      return notJudgedText(fact);
    case 'field-unknown':
      return `unknown field ${fact.field}`;
    case 'field-type':
      return `${fact.field} must be ${typeText[fact.wanted]}${wantedText(fact.value, fact.type)}`;
    case 'field-value':
    case 'field-forbidden':
      return `${fact.field}: ${quoted(fact.words)}`;
    case 'field-choice':
      return `${fact.field} is ${JSON.stringify(fact.value)} and must be one of ${fact.allowed.join(', ')}`;
    case 'field-required':
      return `${fact.field} is not set${fact.words === undefined ? '' : `: ${quoted(fact.words)}`}`;
    case 'field-duplicate':
      return fact.key === undefined ? `${fact.field} is a duplicate` : `${fact.field} has ${fact.key} twice`;
    case 'field-immutable':
      return `${fact.fields.join(', ')} cannot be changed in place`;
    case 'name-invalid':
      return `${fact.field} is ${JSON.stringify(fact.value)}: ${fact.rules.map((rule) => ruleText(rule, fact.longest)).join('; ')}`;
    case 'encoding-invalid':
      return `${fact.field ?? 'a value'} is not base64: encode it (in a template: {{ … | b64enc }}), or write it below stringData`;
    case 'quantity-invalid':
      return `${fact.value === undefined ? 'a value' : `${fact.field}: ${JSON.stringify(fact.value)}`} is not a quantity, such as 250m, 64M or 64Mi`;
    case 'selector-mismatch':
      return 'spec.template.metadata.labels must have every label of spec.selector.matchLabels, with the same value';
    case 'node-port-outside':
      return `${fact.field} is ${fact.port}: by default, node ports are from ${fact.from} to ${fact.to}`;
    case 'memory-too-small':
      return `${fact.field} is ${JSON.stringify(fact.value)}, a number of bytes that no container starts with`;
    case 'conflict':
      return `${fact.fields.join(', ')} ${fact.fields.length === 1 ? 'is' : 'are'} managed by ${fact.managers.join(', ')}`;
    case 'namespace-missing':
      return `there is no namespace ${fact.name ?? ''}`.trimEnd();
    case 'not-sent':
      return 'it was not sent to the API server';
    case 'left-over':
      return leftOverText(fact);
    case 'kind-unknown':
      return `no matches for kind "${fact.kind}" in version "${fact.apiVersion}"`;
    case 'object-malformed':
      return fact.parts.map(({ path, reason }) => `${path.length === 0 ? 'it' : pathText(path)} ${reason}`).join('; ');
    case 'owned-elsewhere':
      return `exists already and belongs to ${ownerText(fact.owner)}`;
    case 'name-missing':
      return fact.isEmpty ? `${pathText(fact.path)} is empty` : `it has no ${pathText(fact.path)}`;
    default:
      return unreachable(fact);
  }
}

function notJudgedText({ policy, why, isOfPods, words }: Extract<RefusalFact, { code: 'policy-not-judged' }>): string {
  if (why === 'mutating')
    return `MutatingAdmissionPolicy ${policy} may change ${isOfPods ? 'its pods' : 'it'}: how is not evaluated here`;
  return `policy ${policy} is not judged here${words === undefined ? '' : `: ${quoted(words)}`}`;
}

const leftOverText = ({ fields, words }: Extract<RefusalFact, { code: 'left-over' }>): string =>
  words === undefined
    ? `it is left over from an earlier run, and the API server does not allow changing ${fields.join(', ')}`
    : `${quoted(words)}: it is left over from an earlier run`;

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
      : `, not a ${type}`;

function ruleText(rule: NameRule, longest: number | undefined): string {
  switch (rule) {
    case 'subdomain':
      return 'only lower case letters, digits, - and . are allowed, with a letter or digit at both ends';
    case 'label':
      return 'only lower case letters, digits and - are allowed, with a letter or digit at both ends';
    case 'dns-1035-label':
      return 'only lower case letters, digits and - are allowed, starting with a letter and not ending with -';
    case 'without-dots':
      return 'no dots are allowed';
    case 'label-key':
      return 'a key is a name of letters, digits, -, _ and ., with a lower case domain and / before it at most';
    case 'label-value':
      return 'only letters, digits, -, _ and . are allowed, with a letter or digit at both ends';
    case 'config-key':
      return 'only letters, digits, -, _ and . are allowed';
    case 'letters-and-hyphens':
      return 'only lower case letters, digits and - are allowed';
    case 'length':
      return `at most ${longest} characters are allowed`;
    default:
      return unreachable(rule);
  }
}
