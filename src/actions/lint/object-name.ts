import { quote } from '../../go/strconv/strconv.ts';
import { byteLength } from '../../go/text.ts';
import type { ObjectHead } from './object-head.ts';

type NameRule = (name: string) => string[];

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const subdomain = String.raw`${label}(\.${label})*`;
const serviceName = '[a-z]([-a-z0-9]*[a-z0-9])?';

/** The rules that are not those of a DNS subdomain, by the kind in lower case. */
const rules: Readonly<Record<string, NameRule>> = {
  service: serviceNameProblems,
  namespace: labelProblems,
  certificatesigningrequest: () => [],
  role: pathSegmentProblems,
  clusterrole: pathSegmentProblems,
  rolebinding: pathSegmentProblems,
  clusterrolebinding: pathSegmentProblems,
};

/** What Kubernetes would say of an object's name; undefined where it is good. Go: rules.validateMetadataName. */
export function nameProblem({ kind = '', metadata }: ObjectHead): string | undefined {
  const name = metadata?.name ?? '';
  const rule = Object.hasOwn(rules, kind.toLowerCase()) ? rules[kind.toLowerCase()] : undefined;
  const problems = (rule ?? subdomainProblems)(name);
  if (problems.length === 0) return undefined;
  const texts = problems.map((problem) => `metadata.name: Invalid value: ${quote(name)}: ${problem}`);
  const all = texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`;
  return `object name does not conform to Kubernetes naming requirements: ${quote(name)}: ${all}`;
}

const tooLong = (name: string, most: number): string[] =>
  byteLength(name) > most ? [`must be no more than ${most} characters`] : [];

const isAll = (pattern: string, name: string): boolean => new RegExp(`^(?:${pattern})$`).test(name);

const wrongPattern = (rule: string, pattern: string, examples: readonly string[]): string =>
  `${rule} (e.g. ${examples.map((example) => `'${example}', `).join(' or ')}regex used for validation is '${pattern}')`;

function subdomainProblems(name: string): string[] {
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
  return [...tooLong(name, 253), ...(isAll(subdomain, name) ? [] : [wrongPattern(rule, subdomain, ['example.com'])])];
}

function labelProblems(name: string): string[] {
  if (isAll(label, name)) return tooLong(name, 63);
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
  const problem = isAll(subdomain, name) ? 'must not contain dots' : wrongPattern(rule, label, ['my-name', '123-abc']);
  return [...tooLong(name, 63), problem];
}

function serviceNameProblems(name: string): string[] {
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
  return [
    ...tooLong(name, 63),
    ...(isAll(serviceName, name) ? [] : [wrongPattern(rule, serviceName, ['my-name', 'abc-123'])]),
  ];
}

function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((part) => name.includes(part)).map((part) => `may not contain '${part}'`);
}
