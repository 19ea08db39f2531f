import { dns1123LabelProblem, dns1123SubdomainProblem } from '../../../kinds/names.ts';
import { type Json, type JsonObject, numberOf, objectAt, plain } from '../../../support/json.ts';
import { type FieldProblem, forbiddenField, unsupportedValue } from '../../status.ts';
import {
  bounded,
  every,
  forbiddenIf,
  format,
  invalidIf,
  isEmpty,
  needed,
  neededFormat,
  neededOneOf,
  requiredIf,
} from '../checks.ts';
import { type Check, enclosing, type StructRules } from '../struct.ts';

/** k8s.io/kubernetes/pkg/apis/flowcontrol/validation. */

const nameOf = ({ above }: { readonly above?: { readonly value: JsonObject } | undefined }): string =>
  plain(objectAt(above?.value, 'metadata')?.['name']);

const texts = (value: Json | undefined): readonly string[] => (Array.isArray(value) ? value.map(plain) : []);

/** `*` alone, or words that the rule of each accepts. */
const anyOr =
  (what: string, rule: (words: readonly string[], path: string, value: Json) => readonly FieldProblem[]): Check =>
  (value, path) => {
    const words = texts(value);
    if (!words.includes('*')) return rule(words, path, value ?? []);
    return invalidIf(words.length > 1, path, value, `if '*' is present, must not specify other ${what}`);
  };

const knownVerbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

const verbs = every(
  needed('verbs must contain at least one value'),
  anyOr('verbs', (words, path, value) =>
    words.every((word) => knownVerbs.includes(word)) ? [] : [unsupportedValue(path, value, knownVerbs)],
  ),
);

function urlProblem(url: string): string | undefined {
  if (!url.startsWith('/')) return 'must start with slash';
  if (url.includes('//')) return 'must not contain double slash';
  return /\*./.test(url) || /[^/]\*$/.test(url) ? 'wildcard can only do suffix matching' : undefined;
}

const urls = every(
  needed('nonResourceURLs must contain at least one value'),
  anyOr('non-resource URLs', (words, path) =>
    words.flatMap((url, index) =>
      invalidIf(urlProblem(url) !== undefined, `${path}[${index}]`, url, urlProblem(url) ?? ''),
    ),
  ),
);

const namespaces: Check = (value, path, { value: rule }) => {
  const isMissing = isEmpty(value) && rule['clusterScope'] !== true;
  const wrong = (name: string): string | undefined => (name === '*' ? undefined : dns1123LabelProblem(name));
  return [
    ...requiredIf(isMissing, path, 'resource rules that are not cluster scoped must supply at least one namespace'),
    ...texts(value).flatMap((name, index) => {
      const detail = `each member of this list must be '*' or a DNS-1123 label; ${wrong(name)}`;
      return invalidIf(wrong(name) !== undefined, `${path}[${index}]`, name, detail);
    }),
  ];
};

const rule: Check = (value, path) => {
  const { subjects, resourceRules, nonResourceRules } = value as JsonObject;
  const isEmptyRule = isEmpty(resourceRules) && isEmpty(nonResourceRules);
  return [
    ...requiredIf(isEmpty(subjects), `${path}.subjects`, 'subjects must contain at least one value'),
    ...requiredIf(isEmptyRule, path, 'at least one of resourceRules and nonResourceRules has to be non-empty'),
  ];
};

const memberOfKind: Readonly<Record<string, string>> = {
  Group: 'group',
  ServiceAccount: 'serviceAccount',
  User: 'user',
};

/** A subject of a FlowSchema: the member of its kind, and no other. */
export const flowSubject: Check = (value, path) => {
  const subject = value as JsonObject;
  const kind = plain(subject['kind']);
  const member = memberOfKind[kind];
  if (member === undefined) return [unsupportedValue(`${path}.kind`, kind, Object.keys(memberOfKind))];
  const isMissing = subject[member] === undefined;
  return [
    ...requiredIf(isMissing, `${path}.${member}`, `${member} is required when subject kind is '${kind}'`),
    ...Object.entries(memberOfKind).flatMap(([other, field]) =>
      field !== member && subject[field] !== undefined
        ? [forbiddenField(`${path}.${field}`, `${field} is forbidden when subject kind is not '${other}'`)]
        : [],
    ),
  ];
};

const accountName: Check = (value, ...where) =>
  value === '*' ? [] : neededFormat(dns1123SubdomainProblem)(value, ...where);

const precedence: Check = (value, path, struct) => {
  if (typeof value !== 'number' || value === 0) return [];
  const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
  return [
    ...bounded(1, Number.MAX_SAFE_INTEGER, 'must be a positive value')(value, path, struct),
    ...bounded(-Number.MAX_SAFE_INTEGER, 10_000, 'must not be greater than 10000')(value, path, struct),
    ...invalidIf(value === 1 && nameOf(struct) !== 'exempt', path, value, detail),
  ];
};

const levelType: Check = (value, path, struct) => {
  const isMixed = (nameOf(struct) === 'exempt') !== (value === 'Exempt');
  return [
    ...neededOneOf('Exempt', 'Limited')(value, path, struct),
    ...invalidIf(
      isMixed && ['Exempt', 'Limited'].includes(plain(value)),
      path,
      value,
      "must be 'Exempt' if and only if `name` is 'exempt'",
    ),
  ];
};

/** A member that belongs to one type: needed with it, forbidden with another. */
const ofType =
  (type: string, missing: string, forbidden: string): Check =>
  (value, path, struct) => {
    const given = struct.value['type'];
    return [
      ...requiredIf(given === type && value === undefined, path, missing),
      ...forbiddenIf(given !== type && !isEmpty(given) && value !== undefined, path, forbidden),
    ];
  };

/** A hand of queues: as many as there are at most, and no more choices than 60 bits count. */
const handSize: Check = (value, path, { value: { queues } }) => {
  const hand = numberOf(value) || 8;
  const deck = numberOf(queues) || 64;
  if (deck < 0 || hand < 0) return [];
  const bits = Math.ceil(
    Array.from({ length: Math.min(hand, deck) }, (_, index) => Math.log2(deck - index)).reduce(sum, 0),
  );
  const detail = `required entropy bits of deckSize ${deck} and handSize ${hand} should not be greater than 60`;
  return hand > deck
    ? invalidIf(true, path, hand, `should not be greater than queues (${deck})`)
    : invalidIf(bits > 60, path, hand, detail);
};

const sum = (one: number, two: number): number => one + two;

/** The API server shows the struct as Go has it. */
const distinguisher: Check = (value, path) =>
  ['ByNamespace', 'ByUser'].includes(plain(value))
    ? []
    : [unsupportedValue(path, { Type: plain(value) }, ['ByNamespace', 'ByUser'])];

/** Go has 0 for what is absent, and its default comes for 0. */
const positiveOrZero = bounded(0, Number.MAX_SAFE_INTEGER, 'must be positive');
const percent = bounded(0, 100, 'must be between 0 and 100, inclusive');
const shares = bounded(0, Number.MAX_SAFE_INTEGER, 'must be a non-negative integer');

export const flowStructs: Readonly<Record<string, StructRules>> = {
  FlowSchemaSpec: { matchingPrecedence: precedence },
  PriorityLevelConfigurationReference: {
    name: every(needed('must reference a priority level'), format(dns1123SubdomainProblem)),
  },
  FlowDistinguisherMethod: { type: distinguisher },
  PolicyRulesWithSubjects: { '': rule },
  NonResourcePolicyRule: { verbs, nonResourceURLs: urls },
  ResourcePolicyRule: {
    verbs,
    apiGroups: every(
      needed('resource rules must supply at least one api group'),
      anyOr('api groups', () => []),
    ),
    resources: every(
      needed('resource rules must supply at least one resource'),
      anyOr('resources', () => []),
    ),
    namespaces,
  },
  UserSubject: { name: needed() },
  GroupSubject: { name: needed() },
  ServiceAccountSubject: {
    name: accountName,
    namespace: every(needed('must specify namespace for service account'), format(dns1123LabelProblem)),
  },
  PriorityLevelConfigurationSpec: {
    type: levelType,
    limited: ofType('Limited', 'must not be empty when type is Limited', 'must be nil if the type is not Limited'),
    exempt: (value, path, { value: { type } }) =>
      forbiddenIf(type === 'Limited' && value !== undefined, path, 'must be nil if the type is Limited'),
  },
  LimitedPriorityLevelConfiguration: {
    nominalConcurrencyShares: shares,
    lendablePercent: percent,
    borrowingLimitPercent: bounded(0, Number.MAX_SAFE_INTEGER, 'if specified, must be a non-negative integer'),
  },
  ExemptPriorityLevelConfiguration: { nominalConcurrencyShares: shares, lendablePercent: percent },
  LimitResponse: {
    type: (value, path, struct) =>
      enclosing(struct, 'PriorityLevelConfigurationSpec')?.value['type'] === 'Limited'
        ? neededOneOf('Queue', 'Reject')(value, path, struct)
        : [],
    queuing: ofType(
      'Queue',
      'must not be empty if limited.limitResponse.type is Limited',
      'must be nil if limited.limitResponse.type is not Limited',
    ),
  },
  QueuingConfiguration: {
    queueLengthLimit: positiveOrZero,
    queues: every(positiveOrZero, bounded(-Number.MAX_SAFE_INTEGER, 10_000_000, 'must not be greater than 10000000')),
    handSize: every(positiveOrZero, handSize),
  },
};
