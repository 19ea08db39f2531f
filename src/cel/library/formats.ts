import { dns1123LabelProblem, dns1123SubdomainProblem, labelKeyProblem, labelValueProblem } from '../../kinds/names.ts';
import type { Library } from './library.ts';
import { optionalOf } from './optional.ts';
import { requestUriProblem } from './urls.ts';

type Problem = (text: string) => string | undefined;

/** What `format.dns1123Label()` returns: a rule for texts. */
class NamedFormat {
  readonly name: string;
  readonly problem: Problem;

  constructor(name: string, problem: Problem) {
    this.name = name;
    this.problem = problem;
  }
}

/** `format.named(…)` */
class FormatFunctions {}

const matching =
  (pattern: RegExp, problem: string): Problem =>
  (text) =>
    pattern.test(text) ? undefined : problem;

const dns1035Label = matching(
  /^[a-z](?:[-a-z0-9]{0,61}[a-z0-9])?$/,
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')",
);

/** A prefix may end in a dash: something follows it. */
const prefix =
  (problem: Problem): Problem =>
  (text) =>
    problem(text.replace(/-$/, 'a'));

const problems: Readonly<Record<string, Problem>> = {
  dns1123Label: dns1123LabelProblem,
  dns1123Subdomain: dns1123SubdomainProblem,
  dns1035Label,
  qualifiedName: labelKeyProblem,
  dns1123LabelPrefix: prefix(dns1123LabelProblem),
  dns1123SubdomainPrefix: prefix(dns1123SubdomainProblem),
  dns1035LabelPrefix: prefix(dns1035Label),
  labelValue: labelValueProblem,
  uri: requestUriProblem,
  uuid: matching(
    /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i,
    'does not match the UUID format',
  ),
  byte: matching(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/, 'invalid base64'),
  date: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) && isTime(text) ? undefined : 'invalid date'),
  datetime: (text) => (/^\d{4}-\d\d-\d\d[Tt]/.test(text) && isTime(text) ? undefined : 'invalid datetime'),
};

/** Not the 30th of February, which JavaScript takes for the 1st of March. */
function isTime(text: string): boolean {
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
  return !Number.isNaN(Date.parse(text)) && day.toISOString().startsWith(text.slice(0, 10));
}

const formatOf = (name: string): NamedFormat | undefined => {
  const problem = Object.hasOwn(problems, name) ? problems[name] : undefined;
  return problem && new NamedFormat(name, problem);
};

const name = 'kubernetes.NamedFormat';

export const formats: Library = {
  types: { [name]: NamedFormat },
  namespaces: { format: { FormatFunctions } },
  functions: {
    ...Object.fromEntries(
      Object.keys(problems).map((one) => [`FormatFunctions.${one}(): ${name}`, () => formatOf(one)]),
    ),
    [`FormatFunctions.named(string): optional<${name}>`]: (_namespace: FormatFunctions, one: string) =>
      optionalOf(formatOf(one)),
    [`${name}.validate(string): optional<list<string>>`]: ({ problem }: NamedFormat, text: string) => {
      const found = problem(text);
      return optionalOf(found && [found]);
    },
  },
  operators: { [`${name} == ${name}`]: (a: NamedFormat, b: NamedFormat) => a.name === b.name },
};
