/** The API server's rules for names (apimachinery's util/validation): each answers the complaint, or undefined. */

const subdomainPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const subdomainMessage =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const labelPattern = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const labelMessage =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
const qualifiedNamePattern = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const labelKeyMessage =
  "a valid label key must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
const labelValuePattern = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;
const labelValueMessage =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

const tooManyBytes = (limit: number): string => `must be no more than ${limit} bytes`;

export function dns1123SubdomainProblem(name: string): string | undefined {
  if (name.length > 253) return tooManyBytes(253);
  return subdomainPattern.test(name) ? undefined : subdomainMessage;
}

export function dns1123LabelProblem(name: string): string | undefined {
  if (name.includes('.')) return 'must not contain dots';
  if (name.length > 63) return tooManyBytes(63);
  return labelPattern.test(name) ? undefined : labelMessage;
}

/** For names of roles and the like: anything that can stand in a path. */
export function pathSegmentProblem(name: string): string | undefined {
  if (name === '.' || name === '..') return `may not be '${name}'`;
  if (name.includes('/')) return "may not contain '/'";
  return name.includes('%') ? "may not contain '%'" : undefined;
}

/** Label and annotation keys: an optional DNS prefix, one slash, a name. */
export function labelKeyProblem(key: string): string | undefined {
  const parts = key.split('/');
  if (parts.length > 2) return labelKeyMessage;
  const name = parts.at(-1) as string;
  const prefix = parts.length === 2 ? (parts[0] as string) : undefined;
  if (prefix === '') return 'prefix part must be non-empty';
  const prefixProblem = prefix === undefined ? undefined : dns1123SubdomainProblem(prefix);
  if (prefixProblem !== undefined) return `prefix part ${prefixProblem}`;
  if (name === '') return 'name part must be non-empty';
  if (name.length > 63) return `name part ${tooManyBytes(63)}`;
  return qualifiedNamePattern.test(name)
    ? undefined
    : `name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`;
}

export function labelValueProblem(value: string): string | undefined {
  if (value.length > 63) return tooManyBytes(63);
  return labelValuePattern.test(value) ? undefined : labelValueMessage;
}

const configKeyMessage =
  "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

export function configKeyProblem(key: string): string | undefined {
  if (key.length > 253) return tooManyBytes(253);
  if (!/^[-._a-zA-Z0-9]+$/.test(key)) return configKeyMessage;
  return key === '.' || key === '..' ? `must not be '${key}'` : undefined;
}
