import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { JsonSyntaxError, jsonValueEnd } from '../../go/json/syntax.ts';
import { goPathError, withPathErrors } from '../../go/path-error.ts';
import { GoError } from '../../go/value.ts';
import { makeDirectories } from '../../support/directories.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { escapedJson, type Fields, isObject } from '../../support/json.ts';
import { sortedEntries } from '../../support/order.ts';
import { splitOnce } from '../../support/text.ts';
import { writeFileAtomically } from '../atomic-file.ts';
import { type Credential, noCredential } from './credential.ts';

/** A file in the format of Docker's config.json, with every field that it holds. */
export interface DockerConfig {
  readonly path: string;
  readonly content: Fields;
}

/** Reads it; one that is not there is empty. Go: oras credentials config.Load. */
export async function readDockerConfig(path: string): Promise<DockerConfig> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return { path, content: {} };
    throw badConfig(`failed to open config file at ${path}: ${goPathError('open', path, cause).message}`, cause);
  }
  if (text.trim() === '') return { path, content: {} };
  const content = parsed(text, path) ?? {};
  if (isObject(content)) return { path, content };
  throw badFormat(path, `json: cannot unmarshal ${kindOf(content)} into Go value of type map[string]json.RawMessage`);
}

/**
 * The first value, as Go's json.Decoder reads it. In Go's words, which name one character: JSON.parse's own quote what
 * is around it, and that may be a secret.
 */
function parsed(text: string, path: string): unknown {
  try {
    const bytes = Buffer.from(text);
    return JSON.parse(bytes.toString('utf8', 0, jsonValueEnd(bytes, 0)));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw badFormat(path, 'it is not JSON');
    throw badFormat(path, error.offset === undefined ? 'unexpected EOF' : error.message);
  }
}

/** What encoding/json calls it. */
const kindOf = (content: unknown): string =>
  Array.isArray(content) ? 'array' : typeof content === 'boolean' ? 'bool' : typeof content;

const badFormat = (path: string, reason: string): TshelmError =>
  badConfig(`failed to decode config file ${path}: invalid config format: ${reason}`);

export const credentialsStore = ({ content }: DockerConfig): string =>
  typeof content['credsStore'] === 'string' ? content['credsStore'] : '';

export function credentialHelper({ content }: DockerConfig, address: string): string {
  const helper = objectIn(content, 'credHelpers')[address];
  return typeof helper === 'string' ? helper : '';
}

/** The registries whose names and passwords, or the programs that know them, it lists. */
export const loggedIn = ({ content }: DockerConfig): readonly string[] => [
  ...new Set([...Object.keys(objectIn(content, 'auths')), ...Object.keys(objectIn(content, 'credHelpers'))]),
];

/** The programs that it asks, without `docker-credential-`. */
export const credentialHelpers = (config: DockerConfig): readonly string[] => [
  ...new Set(
    [credentialsStore(config), ...Object.values(objectIn(config.content, 'credHelpers'))].filter(
      (name): name is string => typeof name === 'string' && name !== '',
    ),
  ),
];

export const hasAuthentication = (config: DockerConfig): boolean =>
  credentialsStore(config) !== '' ||
  Object.keys(objectIn(config.content, 'credHelpers')).length > 0 ||
  Object.keys(objectIn(config.content, 'auths')).length > 0;

/** What `auths` holds for a registry; older files have its URL as key. */
export function plainCredential({ content }: DockerConfig, address: string): Credential {
  const auths = objectIn(content, 'auths');
  const entry = auths[address] ?? Object.entries(auths).find(([key]) => hostIn(key) === address)?.[1];
  if (!isObject(entry)) return noCredential;
  const text = (key: string): string => (typeof entry[key] === 'string' ? entry[key] : '');
  const own = { refreshToken: text('identitytoken'), accessToken: text('registrytoken') };
  if (text('auth') === '') return { username: text('username'), password: text('password'), ...own };
  const decoded = Buffer.from(text('auth'), 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 0) {
    const form = 'the auth of a registry is not base64(username:password)';
    throw badConfig(`failed to decode auth field: invalid config format: ${form} (${address})`);
  }
  return { username: decoded.slice(0, colon), password: decoded.slice(colon + 1), ...own };
}

const hostIn = (key: string): string => splitOnce(key.replace(/^https?:\/\//, ''), '/')[0];

/** The file's content with a registry's credential in it, or without where it is undefined. */
export function withCredential(
  config: DockerConfig,
  address: string,
  credential: Credential | undefined,
): DockerConfig {
  const { [address]: _old, ...others } = objectIn(config.content, 'auths');
  const auths = credential === undefined ? others : { ...others, [address]: authEntry(credential) };
  return { ...config, content: { ...config.content, auths } };
}

export const withCredentialsStore = (config: DockerConfig, store: string): DockerConfig => ({
  ...config,
  content: { ...config.content, auths: objectIn(config.content, 'auths'), credsStore: store },
});

export const hasPlainCredential = ({ content }: DockerConfig, address: string): boolean =>
  Object.hasOwn(objectIn(content, 'auths'), address);

function authEntry({ username, password, refreshToken, accessToken }: Credential): Fields {
  const auth = username === '' && password === '' ? '' : Buffer.from(`${username}:${password}`).toString('base64');
  return {
    ...(auth !== '' && { auth }),
    ...(refreshToken !== '' && { identitytoken: refreshToken }),
    ...(accessToken !== '' && { registrytoken: accessToken }),
  };
}

/** Writes the file anew and puts it in place of the old one, readable by its owner alone, as oras does. */
export function saveDockerConfig({ path, content }: DockerConfig): void {
  const sorted = Object.fromEntries(
    sortedEntries({ ...content, auths: Object.fromEntries(sortedEntries(objectIn(content, 'auths'))) }),
  );
  const text = escapedJson(JSON.stringify(sorted, undefined, '\t'));
  try {
    withPathErrors('open', path, () => makeDirectories(dirname(path), 0o700));
    writeFileAtomically(path, text, 0o600);
  } catch (cause) {
    throw badConfig(`failed to save config file: ${messageOf(cause)}`, cause);
  }
}

function objectIn(content: Fields, key: string): Fields {
  const value = content[key];
  if (isObject(value)) return value;
  if (value === undefined || value === null) return {};
  throw new GoError(`failed to unmarshal ${key} field: invalid config format`);
}

const badConfig = (message: string, cause?: unknown): TshelmError =>
  new TshelmError('bad-registry-config', { message, cause });
