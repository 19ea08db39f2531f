import { GoError } from '../../go/value.ts';
import { hasCode, messageOf, TshelmError } from '../../support/errors.ts';
import { splitOnce } from '../../support/text.ts';
import type { HttpAnswer, HttpRequest } from '../http/request.ts';
import { answerError, registryError } from './answer-error.ts';
import type { Authorizer } from './authorizer.ts';
import { repositoryScope } from './challenge.ts';
import { acceptedManifests, type Descriptor, mediaTypes, mismatch, readManifest, sha256 } from './manifest.ts';
import {
  askedReference,
  checkDigest,
  digestProblem,
  type OciReference,
  referenceText,
  registryHost,
} from './reference.ts';

const mostManifestBytes = 4 << 20;
/** Far above the largest chart that Helm loads, which has 100 MiB unpacked. */
const mostLayerBytes = 256 << 20;
const mostTagBytes = 64 << 20;
const mostTagPages = 10_000;
const mostReferrerPages = 100;

interface RepositoryAccess {
  readonly authorizer: Authorizer;
  readonly plainHttp: boolean;
}

/** One repository of a registry, by the OCI distribution API. Go: oras remote.Repository. */
export class OciRepository {
  readonly reference: OciReference;
  readonly #authorizer: Authorizer;
  readonly #base: string;
  readonly #scopes: readonly string[];
  readonly #access: RepositoryAccess;
  readonly #actions: readonly string[];

  /** `actions`: what the repository will be used for, so that one token serves for all of it. */
  constructor(reference: OciReference, access: RepositoryAccess, actions: readonly string[] = ['pull']) {
    if (reference.tag === '' && reference.digest !== '') checkDigest(reference.digest);
    const { authorizer, plainHttp } = access;
    this.reference = reference;
    this.#access = access;
    this.#actions = actions;
    this.#authorizer = authorizer;
    this.#base = `${plainHttp ? 'http' : 'https'}://${registryHost(reference.registry)}/v2/${reference.repository}`;
    this.#scopes = [repositoryScope(reference.repository, actions)];
  }

  /** The manifest that the reference names, proved by its digest. Errors: `REFERENCE: not found`. */
  async fetchManifest(): Promise<{ readonly descriptor: Descriptor; readonly bytes: Uint8Array }> {
    const asked = askedReference(this.reference);
    if (asked === '') {
      const { registry, repository } = this.reference;
      throw new GoError(`invalid reference: ${registry}/${repository} has no tag`);
    }
    const answer = await this.#get(`/manifests/${asked}`, { accept: acceptedManifests, maxBytes: mostManifestBytes });
    if (answer.status === 404) throw notFound(referenceText(this.reference));
    if (answer.status !== 200) throw answerError('GET', answer);
    const digest = this.reference.tag === '' ? asked : (announcedDigest('GET', answer) ?? sha256(answer.body));
    this.#prove(answer, digest);
    const mediaType = splitOnce(answer.headers['content-type'] ?? '', ';')[0]
      .trim()
      .toLowerCase();
    return { descriptor: { mediaType, digest, size: answer.body.length }, bytes: answer.body };
  }

  /** A manifest that an index lists. */
  async fetchListedManifest({ mediaType, digest, size }: Descriptor): Promise<Uint8Array> {
    this.#check(`/manifests/${digest}`, digest);
    const answer = await this.#get(`/manifests/${digest}`, {
      accept: mediaType,
      maxBytes: Math.min(size, mostManifestBytes),
    });
    if (answer.status === 404) throw notFound(digest);
    if (answer.status !== 200) throw answerError('GET', answer);
    this.#prove(answer, digest);
    return answer.body;
  }

  /** The same repository, at another tag or digest. */
  at(place: Partial<Pick<OciReference, 'tag' | 'digest'>>): OciRepository {
    return new OciRepository({ ...this.reference, tag: '', digest: '', ...place }, this.#access, this.#actions);
  }

  /** The manifests that refer to a digest, by the registry's list or, where it keeps none, by the tag `sha256-HEX`. */
  async referrers(digest: string, artifactType: string): Promise<readonly Descriptor[]> {
    const path = `/referrers/${digest}`;
    this.#check(path, digest);
    const found: Descriptor[] = [];
    let url: string | undefined = `${this.#base}${path}?artifactType=${encodeURIComponent(artifactType)}`;
    for (let pages = 0; url !== undefined; pages += 1) {
      if (pages >= mostReferrerPages) throw registryError('GET', url, 'the list of referrers does not end');
      const headers = { accept: mediaTypes.index };
      const answer: HttpAnswer = await this.#send({ url, headers, maxBytes: mostManifestBytes });
      if (answer.status === 404) return this.#taggedReferrers(digest);
      if (answer.status !== 200) throw answerError('GET', answer);
      found.push(...readManifest(answer.body).manifests);
      url = nextPage(answer);
    }
    return found;
  }

  async #taggedReferrers(digest: string): Promise<readonly Descriptor[]> {
    try {
      return readManifest((await this.at({ tag: digest.replace(':', '-') }).fetchManifest()).bytes).manifests;
    } catch (cause) {
      if (hasCode(cause, 'not-in-registry')) return [];
      throw cause;
    }
  }

  /** A blob, proved by its length and digest. */
  async fetchBlob({ digest, size }: Descriptor): Promise<Uint8Array> {
    const path = `/blobs/${digest}`;
    this.#check(path, digest);
    if (size > mostLayerBytes) {
      const reason = `according to the manifest, the layer has ${size} bytes; the limit is ${mostLayerBytes}`;
      throw registryError('GET', this.#base + path, reason);
    }
    const answer = await this.#get(path, { maxBytes: size });
    if (answer.status === 404) throw notFound(digest);
    if (answer.status !== 200) throw answerError('GET', answer);
    if (answer.body.length !== size)
      throw registryError(
        'GET',
        answer.url,
        `mismatched length: the content has ${answer.body.length} bytes, not ${size}`,
      );
    this.#prove(answer, digest);
    return answer.body;
  }

  /** The digest that a tag has; undefined where there is no such tag. */
  async resolve(): Promise<string | undefined> {
    const url = `${this.#base}/manifests/${askedReference(this.reference)}`;
    const headers = { accept: acceptedManifests };
    const answer = await this.#send({ method: 'HEAD', url, headers });
    if (answer.status === 404) return undefined;
    if (answer.status !== 200) throw answerError('HEAD', answer);
    const digest = announcedDigest('HEAD', answer);
    if (digest !== undefined) return digest;
    return (await this.fetchManifest()).descriptor.digest;
  }

  /** All tags, page by page. */
  async tags(): Promise<string[]> {
    const found: string[] = [];
    const pages = new Set<string>();
    let bytes = 0;
    let url: string | undefined = `${this.#base}/tags/list`;
    while (url !== undefined) {
      if (pages.has(url)) throw registryError('GET', url, 'the pages of the list of tags form a loop');
      if (pages.size >= mostTagPages || bytes > mostTagBytes)
        throw registryError('GET', url, `the list of tags does not end: ${pages.size} pages, ${bytes} bytes`);
      pages.add(url);
      const answer: HttpAnswer = await this.#send({ url, maxBytes: mostManifestBytes });
      if (answer.status !== 200) throw answerError('GET', answer);
      found.push(...tagsIn(answer));
      bytes += answer.body.length;
      url = nextPage(answer);
    }
    return found;
  }

  hasBlob({ digest }: Descriptor): Promise<boolean> {
    return this.#exists({ method: 'HEAD', url: `${this.#base}/blobs/${digest}` });
  }

  hasManifest({ digest }: Descriptor): Promise<boolean> {
    const headers = { accept: acceptedManifests };
    return this.#exists({ method: 'HEAD', url: `${this.#base}/manifests/${digest}`, headers });
  }

  async #exists(request: HttpRequest): Promise<boolean> {
    const answer = await this.#send(request);
    if (answer.status === 200) return true;
    if (answer.status === 404) return false;
    throw answerError('HEAD', answer);
  }

  /** Sends a blob in one piece: POST for a place, PUT there. */
  async pushBlob({ digest }: Descriptor, bytes: Uint8Array): Promise<void> {
    const begun = await this.#send({ method: 'POST', url: `${this.#base}/blobs/uploads/`, body: new Uint8Array() });
    if (begun.status !== 202) throw answerError('POST', begun);
    const place = uploadPlace(begun);
    place.searchParams.set('digest', digest);
    const headers = { 'content-type': 'application/octet-stream' };
    const answer = await this.#send({ method: 'PUT', url: place.href, body: bytes, headers });
    if (answer.status !== 201) throw answerError('PUT', answer);
  }

  /** Sends a manifest and gives it the reference's tag. Returns whether the registry lists it by what it refers to. */
  async pushManifest({ mediaType, digest }: Descriptor, bytes: Uint8Array): Promise<boolean> {
    const url = `${this.#base}/manifests/${askedReference(this.reference)}`;
    const answer = await this.#send({ method: 'PUT', url, body: bytes, headers: { 'content-type': mediaType } });
    if (answer.status !== 201) throw answerError('PUT', answer);
    const announced = announcedDigest('PUT', answer);
    if (announced !== undefined && announced !== digest)
      throw registryError(
        'PUT',
        answer.url,
        `invalid response; digest mismatch: the registry has ${announced}, not ${digest}`,
      );
    return answer.headers['oci-subject'] !== undefined;
  }

  /** A digest that cannot be checked is not asked for. */
  #check(path: string, digest: string): void {
    try {
      checkDigest(digest);
    } catch (cause) {
      throw registryError('GET', this.#base + path, messageOf(cause));
    }
  }

  #get(
    path: string,
    { accept, maxBytes }: { readonly accept?: string; readonly maxBytes: number },
  ): Promise<HttpAnswer> {
    return this.#send({ url: this.#base + path, headers: accept === undefined ? {} : { accept }, maxBytes });
  }

  #send(request: HttpRequest): Promise<HttpAnswer> {
    return this.#authorizer.send(request, this.#scopes);
  }

  #prove(answer: HttpAnswer, digest: string): void {
    const announced = announcedDigest('GET', answer);
    if (announced !== undefined && announced !== digest)
      throw registryError(
        'GET',
        answer.url,
        `invalid response; digest mismatch in Docker-Content-Digest: received "${announced}" when expecting "${digest}"`,
      );
    const problem = mismatch(answer.body, digest);
    if (problem !== undefined) throw registryError('GET', answer.url, problem);
  }
}

function announcedDigest(method: string, { url, headers }: HttpAnswer): string | undefined {
  const digest = headers['docker-content-digest'];
  if (digest === undefined || digest === '') return undefined;
  if (digestProblem(digest) !== undefined)
    throw registryError(method, url, `invalid response header: \`Docker-Content-Digest: ${digest}\``);
  return digest;
}

function tagsIn(answer: HttpAnswer): string[] {
  try {
    const { tags } = JSON.parse(Buffer.from(answer.body).toString('utf8')) as { tags?: unknown };
    return Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
  } catch {
    // The answer is no JSON.
    throw registryError('GET', answer.url, 'failed to decode response: it is not JSON');
  }
}

/** The page that a Link header names; only of the same registry. Go: oras parseLink. */
function nextPage({ url, headers }: HttpAnswer): string | undefined {
  const link = headers['link'];
  if (link === undefined || link === '') return undefined;
  const target = /^<([^>]*)>/.exec(link)?.[1];
  if (target === undefined || !URL.canParse(target, url))
    throw registryError('GET', url, `invalid next link ${JSON.stringify(link)}`);
  const next = new URL(target, url);
  if (next.origin === new URL(url).origin) return next.href;
  throw registryError('GET', url, `invalid next link ${JSON.stringify(target)}: it is not on the same registry`);
}

/** Where a blob is to go; only in the same registry. Go: oras completePushAfterInitialPost. */
function uploadPlace({ url, headers }: HttpAnswer): URL {
  const location = headers['location'] ?? '';
  if (location === '' || !URL.canParse(location, url))
    throw registryError('POST', url, 'the answer has no Location for the upload');
  const [place, registry] = [new URL(location, url), new URL(url)];
  if (place.hostname !== registry.hostname || portOf(place) !== portOf(registry))
    throw registryError(
      'POST',
      url,
      `blob upload Location "${place.host}" is on a different host than the registry "${registry.host}"`,
    );
  if (registry.protocol === 'https:' && place.protocol !== 'https:')
    throw registryError('POST', url, `blob upload Location "${place.host}" downgrades scheme from https`);
  return place;
}

const portOf = ({ port, protocol }: URL): string => port || (protocol === 'https:' ? '443' : '80');

const notFound = (what: string): TshelmError =>
  new TshelmError('not-in-registry', { message: `${what}: not found`, details: { reference: what } });
