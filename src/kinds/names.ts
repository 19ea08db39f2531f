import { isIP } from 'node:net';
import { splitOnce } from '../support/text.ts';

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

/** For names of roles and the like: anything that can appear in a path. */
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

/** For services, API versions and the like: a label that begins with a letter. */
export function dns1035LabelProblem(name: string): string | undefined {
  if (name.length > 63) return tooManyBytes(63);
  return /^[a-z]([-a-z0-9]*[a-z0-9])?$/.test(name)
    ? undefined
    : "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
}

/** A host, with a `*` for its first part. */
export function hostProblem(host: string): string | undefined {
  if (!host.includes('*')) return dns1123SubdomainProblem(host);
  return host.startsWith('*.') && dns1123SubdomainProblem(host.slice(2)) === undefined
    ? undefined
    : "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
}

/** A name of at least three parts. */
export const qualifiedDomainProblem = (name: string): string | undefined =>
  dns1123SubdomainProblem(name) ??
  (name.split('.').length < 3 ? 'should be a domain with at least three segments separated by dots' : undefined);

/** `acme.io/foo` */
export function domainPathProblem(path: string): string | undefined {
  const [host, rest = ''] = splitOnce(path, '/');
  if (host === '' || rest === '') return 'must be a domain-prefixed path (such as "acme.io/foo")';
  return dns1123SubdomainProblem(host);
}

/** What a container's port may be called (IsValidPortName). */
export function portNameProblem(name: string): string | undefined {
  if (name.length > 15) return 'must be no more than 15 characters';
  if (!/^[-a-z0-9]+$/.test(name)) return 'must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)';
  if (!/[a-z]/.test(name)) return 'must contain at least one letter (a-z)';
  if (name.includes('--')) return 'must not contain consecutive hyphens';
  return name.startsWith('-') || name.endsWith('-') ? 'must not begin or end with a hyphen' : undefined;
}

/** An environment variable: printable ASCII without `=` (IsRelaxedEnvVarName). */
export const variableNameProblem = (name: string): string | undefined =>
  /^[ -<>-~]+$/.test(name)
    ? undefined
    : "a valid environment variable name must consist only of printable ASCII characters other than '='";

export const headerNameProblem = (name: string): string | undefined =>
  /^[-A-Za-z0-9]+$/.test(name)
    ? undefined
    : "a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')";

/** A path below a directory: relative, without a step back. */
export const descendingPathProblem = (path: string): string | undefined =>
  path.startsWith('/') ? 'must be a relative path' : backstepProblem(path);

export const backstepProblem = (path: string): string | undefined =>
  path.split('/').includes('..') ? "must not contain '..'" : undefined;

/** A path in a volume that Kubernetes itself does not use. */
export const localPathProblem = (path: string): string | undefined =>
  descendingPathProblem(path) ?? (path.startsWith('..') ? "must not start with '..'" : undefined);

/** An address of either family; leading zeros, which Go tolerates here, are not. */
export const addressProblem = (address: string): string | undefined =>
  isIP(address) === 0 || address.includes('%')
    ? 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
    : undefined;

export function cidrProblem(cidr: string): string | undefined {
  const [address, bits = ''] = splitOnce(cidr, '/');
  const family = isIP(address);
  const isRight = family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128);
  return isRight ? undefined : 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
}
