import { TshelmError } from '../../support/errors.ts';
import { splitOnce } from '../../support/text.ts';
import { shownUrl } from '../http/shown-url.ts';

/** A file or a folder of a git repository. */
export interface GitReference {
  /** The repository's URL without its user's name and password: `https://example.com/charts.git`. */
  readonly remote: string;
  /** What the URL says of the user; with SSH the name is part of `remote`. */
  readonly username: string;
  readonly password: string;
  /** Below the repository's root, without slashes at its ends; '' for the root. */
  readonly path: string;
  /** A branch, a tag or a commit; '' for the repository's own branch. */
  readonly ref: string;
  /** Fetches the files below `path` alone, from servers that can (`sparse=1`). */
  readonly isSparse: boolean;
  /** Fetches the dependencies of a chart that are not in its charts/ (`depupdate=0`: does not). */
  readonly fetchesDependencies: boolean;
}

const transports = ['https', 'http', 'ssh', 'file'] as const;

/**
 * What go-getter and helmfile write as `git::https://HOST/REPOSITORY` or `git::git@HOST:REPOSITORY`, as a URL:
 * `git+https://HOST/REPOSITORY`. Any other text stays.
 */
export function asGitUrl(text: string): string {
  const [, url] = /^git::(.*)$/is.exec(text) ?? [];
  if (url === undefined) return text;
  if (url.includes('://')) return `git+${url}`;
  const [authority, path = ''] = splitOnce(url, ':');
  return `git+ssh://${authority}/${path.replace(/^\//, '')}`;
}

/** Whether git fetches what a user names. */
export const isGitUrl = (text: string): boolean => asGitUrl(text).startsWith('git+');

/**
 * `git+https://HOST/REPOSITORY@PATH?ref=REF`, as the plugin helm-git reads it; `//` before the path does too. Fails with
 * `bad-git-url`.
 */
export function parseGitUrl(text: string): GitReference {
  const [, scheme = '', address = ''] = /^git\+([a-z]+):\/\/(.*)$/is.exec(text) ?? [];
  const transport = scheme.toLowerCase();
  if (!(transports as readonly string[]).includes(transport))
    throw bad(text, `git fetches over ${transports.join(', ')}, not over ${transport || 'that'}`);
  if (isControlled(text)) throw bad(text, 'it has control characters or spaces');
  const [place, query = ''] = splitOnce(splitOnce(address, '#')[0], '?');
  const at = place.indexOf('/');
  const [authority, rest] = at < 0 ? [place, ''] : [place.slice(0, at), place.slice(at)];
  const { repository, path } = partsOf(rest);
  const isLocal = transport === 'file';
  if ((authority === '') !== isLocal || repository.replaceAll('/', '') === '')
    throw bad(text, 'it names no repository: write git+https://HOST/REPOSITORY@PATH?ref=REF');
  const { host, username, password } = userOf(authority, transport);
  if (isControlled((username + password).replaceAll(' ', '')))
    throw bad(text, 'its user or password has control characters');
  // A plus is a plus: tags have it before what was built (`v1.2.3+1`).
  const settings = new URLSearchParams(query.replaceAll('+', '%2B'));
  checkSettings(settings, text);
  return {
    remote: `${transport}://${host}${repository}`,
    username,
    password,
    path: checkedPath(path, text),
    ref: checkedRef(settings.get('ref') ?? '', text),
    isSparse: settings.get('sparse') === '1',
    fetchesDependencies: settings.get('depupdate') !== '0',
  };
}

/** `depth` of go-getter and `package` of helm-git ask for what is done anyway: one commit is fetched, and folders are not packaged. */
const settingNames = ['ref', 'sparse', 'depupdate', 'depth', 'package'];
const switches = ['sparse', 'depupdate'];

function checkSettings(settings: URLSearchParams, text: string): void {
  if (settings.has('sshkey'))
    throw bad(text, 'sshkey is not supported: git uses an SSH agent, ~/.ssh/config, or GIT_SSH_COMMAND');
  for (const [name, value] of settings) {
    if (!settingNames.includes(name))
      throw bad(text, `${JSON.stringify(name)} is not a setting of a git URL; there are ${settingNames.join(', ')}`);
    if (switches.includes(name) && !/^[01]$/.test(value)) throw bad(text, `${name} is 0 or 1`);
  }
}

/** The URL of another file of the same repository, at a commit. */
export function gitUrlAt(text: string, path: string, commit: string): string {
  const { remote, isSparse, fetchesDependencies } = parseGitUrl(text);
  const settings = new URLSearchParams({ ref: commit });
  if (isSparse) settings.set('sparse', '1');
  if (!fetchesDependencies) settings.set('depupdate', '0');
  return `git+${remote}@${encodeURI(path)}?${settings.toString()}`;
}

/** The same URL, at a commit. */
export function pinnedGitUrl(text: string, commit: string): string {
  const [place, query = ''] = splitOnce(text, '?');
  const settings = new URLSearchParams(query);
  settings.set('ref', commit);
  return `${place}?${settings.toString()}`;
}

/** What comes after `@` or `//` is the path in the repository; without them, the index of its root is asked for by its name. */
function partsOf(rest: string): { readonly repository: string; readonly path: string } {
  const at = rest.search(/@|(?<=.)\/\/|\/index\.yaml$/);
  if (at < 0) return { repository: rest, path: '' };
  return { repository: rest.slice(0, at), path: rest.slice(at).replace(/^(?:@|\/\/?)/, '') };
}

/** The host of `user:password@host`, and who asks it. */
export function userOf(authority: string, transport: string): { host: string; username: string; password: string } {
  const at = authority.lastIndexOf('@');
  if (at < 0) return { host: authority, username: '', password: '' };
  const [username, password = ''] = splitOnce(authority.slice(0, at), ':');
  // SSH has keys; its user is a part of the address.
  if (transport === 'ssh') return { host: `${username}${authority.slice(at)}`, username: '', password: '' };
  return { host: authority.slice(at + 1), username: decoded(username), password: decoded(password) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A `%` that begins no escape is part of the text.
    return text;
  }
}

function checkedPath(path: string, text: string): string {
  const parts = decoded(path)
    .split('/')
    .filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw bad(text, 'its path leads out of the repository');
  return parts.join('/');
}

/** What git itself takes for the name of a branch or a tag (`git check-ref-format`), so that it is no option and no refspec. */
function checkedRef(ref: string, text: string): string {
  const isName =
    ref === '' ||
    (!isControlled(ref) && /^[^-/.~^:?*[\\][^~^:?*[\\]*$/.test(ref) && !/\.\.|@\{|\/\/|\.lock$|[/.]$/.test(ref));
  if (!isName) throw bad(text, `${JSON.stringify(ref)} is not the name of a branch, a tag or a commit`);
  return ref;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: those are what is looked for.
const isControlled = (text: string): boolean => /[\x00-\x20\x7f]/.test(text);

const bad = (text: string, reason: string): TshelmError =>
  new TshelmError('bad-git-url', { message: `${shownUrl(text)}: ${reason}`, details: { url: shownUrl(text) } });
