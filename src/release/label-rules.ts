import { quote } from '../go/strconv/strconv.ts';
import { byteLength } from '../go/text.ts';

const keyFormat = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const valueFormat = `(${keyFormat})?`;
const subdomainFormat = String.raw`[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*`;

const isAll = (format: string, text: string): boolean => new RegExp(`^${format}$`).test(text);

const alphanumeric =
  "consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const keyRule = `must ${alphanumeric} (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${keyFormat}')`;
const valueRule = `a valid label must be an empty string or ${alphanumeric} (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '${valueFormat}')`;
const subdomainRule = `a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '${subdomainFormat}')`;

const tooLong = (text: string, most: number): string | undefined =>
  byteLength(text) > most ? `must be no more than ${most} bytes` : undefined;

/** What Kubernetes says of a wrong label key; undefined where it is right. Go: validateLabelKey. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split('/');
  const name = parts.at(-1) as string;
  const problems = parts.length > 2 ? [wholeKeyRule] : [...prefixProblems(parts), ...nameProblems(name)];
  return problems.length === 0 ? undefined : `<nil>: Invalid value: ${quote(key)}: ${problems.join('; ')}`;
}

const wholeKeyRule = `a valid label key ${keyRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`;

function prefixProblems([prefix = '', ...rest]: readonly string[]): readonly string[] {
  if (rest.length === 0) return [];
  const found =
    prefix === ''
      ? ['must be non-empty']
      : [tooLong(prefix, 253), isAll(subdomainFormat, prefix) ? undefined : subdomainRule];
  return found.filter((problem) => problem !== undefined).map((problem) => `prefix part ${problem}`);
}

function nameProblems(name: string): readonly string[] {
  const found = [name === '' ? 'must be non-empty' : tooLong(name, 63), isAll(keyFormat, name) ? undefined : keyRule];
  return found.filter((problem) => problem !== undefined).map((problem) => `name part ${problem}`);
}

/** The same of the value at an index. Go: validateLabelValue. */
export function labelValueProblem(key: string, value: string, index: number): string | undefined {
  const found = [tooLong(value, 63), isAll(valueFormat, value) ? undefined : valueRule];
  const problems = found.filter((problem) => problem !== undefined);
  if (problems.length === 0) return undefined;
  return `values[${index}][${key}]: Invalid value: ${quote(value)}: ${problems.join('; ')}`;
}
