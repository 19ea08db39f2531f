import { parseUrl } from '../../go/net/url.ts';
import { quote } from '../../go/strconv/strconv.ts';
import { GoError } from '../../go/value.ts';

/** Where an artifact lies in a registry. */
export interface OciReference {
  /** `host:port`. */
  readonly registry: string;
  readonly repository: string;
  /** '' where none is named. */
  readonly tag: string;
  /** `sha256:…`; '' where none is named. */
  readonly digest: string;
}

export const isOci = (text: string): boolean => text.startsWith(ociScheme);
export const withoutScheme = (text: string): string => (isOci(text) ? text.slice(ociScheme.length) : text);
const ociScheme = 'oci://';

/**
 * Reads `[oci://]HOST/PATH[:TAG][@DIGEST]`; a `+` in the tag is `_` in the registry. Go: registry.newReference.
 * Throws GoError: `invalid reference: …`.
 */
export function parseOciReference(text: string): OciReference {
  const raw = withoutScheme(text);
  const at = raw.lastIndexOf('@');
  const digest = at < 0 ? '' : raw.slice(at + 1);
  const named = parseReference(withoutPlus(at < 0 ? raw : raw.slice(0, at)));
  return { ...named, digest };
}

function withoutPlus(text: string): string {
  const tag = text.slice(text.lastIndexOf(':') + 1);
  return tag === text || tag === '' || tag.includes('/') ? text : text.replaceAll(tag, tag.replaceAll('+', '_'));
}

// Go writes `-*`, whose empty match takes exponential time here: letters beside letters are one part anyway.
const repositoryForm = /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const tagForm = /^\w[\w.-]{0,127}$/;
const hostForm = /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?|\[[0-9a-fA-F:]+\])(?::[0-9]+)?$/;
const imageDigestForm = /^[A-Za-z][A-Za-z0-9+._-]*:[0-9a-fA-F]{32,}$/;

/** Whether a kubelet can read the name of an image, which needs neither registry nor tag. Go: distribution/reference. */
export function isImageName(text: string): boolean {
  const [, repository = '', tag, digest] = /^([^@]*?)(?::([^/:@]*))?(?:@(.*))?$/s.exec(text) ?? [];
  if (tag !== undefined && !tagForm.test(tag)) return false;
  if (digest !== undefined && !imageDigestForm.test(digest)) return false;
  const slash = repository.indexOf('/');
  const isBelowHost = hostForm.test(repository.slice(0, Math.max(slash, 0)));
  return repositoryForm.test(isBelowHost ? repository.slice(slash + 1) : repository);
}

/** Go: oras registry.ParseReference, for a reference without digest. */
function parseReference(text: string): OciReference {
  const slash = text.indexOf('/');
  if (slash < 0) throw invalid('missing registry or repository');
  const registry = text.slice(0, slash);
  const path = text.slice(slash + 1);
  const colon = path.indexOf(':');
  const repository = colon < 0 ? path : path.slice(0, colon);
  const tag = colon < 0 ? '' : path.slice(colon + 1);
  checkRegistry(registry);
  if (repository.length > 4096 || !repositoryForm.test(repository))
    throw invalid(`invalid repository ${quote(repository)}`);
  if (tag !== '' && !tagForm.test(tag)) throw invalid(`invalid tag ${quote(tag)}`);
  return { registry, repository, tag, digest: '' };
}

/** Errors: what is no `host[:port]`. */
export function checkRegistry(registry: string): void {
  let host = '';
  try {
    ({ host } = parseUrl(`dummy://${registry}`));
  } catch {
    // Told of below.
  }
  if (host === '' || host !== registry) throw invalid(`invalid registry ${quote(registry)}`);
}

/** What a registry is asked for: the tag, or the digest where no tag is named. */
export const askedReference = ({ tag, digest }: OciReference): string => (tag === '' ? digest : tag);

/** `HOST/PATH:TAG` or `HOST/PATH@DIGEST`, as Helm prints it. */
export function referenceText({ registry, repository, tag, digest }: OciReference): string {
  if (tag !== '') return `${registry}/${repository}:${tag}`;
  return `${registry}/${repository}@${digest}`;
}

/** The host that answers for a registry: Docker Hub's name is not its address. */
export const registryHost = (registry: string): string =>
  registry === 'docker.io' ? 'registry-1.docker.io' : registry;

const digestLengths: Readonly<Record<string, number>> = { sha256: 64, sha384: 96, sha512: 128 };

/** Errors: what is no digest that can be checked. Go: go-digest.Parse. */
export function checkDigest(digest: string): void {
  const problem = digestProblem(digest);
  if (problem !== undefined) throw invalid(`invalid digest ${quote(digest)}: ${problem}`);
}

export function digestProblem(digest: string): string | undefined {
  const [, algorithm = '', hex = ''] = /^([a-z0-9]+(?:[.+_-][a-z0-9]+)*):([a-zA-Z0-9=_-]+)$/.exec(digest) ?? [];
  if (algorithm === '') return 'invalid checksum digest format';
  const length = digestLengths[algorithm];
  if (length === undefined) return 'unsupported digest algorithm';
  if (hex.length !== length) return 'invalid checksum digest length';
  return /^[a-f0-9]+$/.test(hex) ? undefined : 'invalid checksum digest format';
}

const invalid = (reason: string): GoError => new GoError(`invalid reference: ${reason}`);
