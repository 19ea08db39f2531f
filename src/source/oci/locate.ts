import { looseVersion } from '../../go/semver.ts';
import { GoError } from '../../go/value.ts';
import { type OciReference, parseOciReference } from './reference.ts';
import type { RegistryClient } from './registry-client.ts';
import { matchingTag, versionTags } from './tags.ts';

/** Which artifact of a registry a user means. */
export interface LocatedArtifact {
  readonly reference: OciReference;
  /** Its tag as a version has it, with `+`; '' where a digest alone is named. */
  readonly version: string;
  /** The manifest's digest, where the user has named it beside a version; '' otherwise. */
  readonly digest: string;
}

/**
 * Chooses the tag that `oci://HOST/PATH[:TAG][@DIGEST]` and `--version` mean together: a range is looked for among the
 * repository's tags. Go: registry.Client.ValidateReference.
 */
export async function locateArtifact(text: string, wanted: string, registry: RegistryClient): Promise<LocatedArtifact> {
  const reference = parseOciReference(text);
  const version = wanted === '' ? reference.tag : wanted;
  if (wanted !== '' && reference.tag !== '' && reference.tag !== wanted)
    throw new GoError(`chart reference and version mismatch: ${wanted} is not ${reference.tag}`);
  if (reference.digest !== '') return byDigest(reference, version, registry);
  // Helm fails at a tag whose version has a `+`, however that is written.
  const exact = wanted === '' ? version.replaceAll('_', '+') : version;
  const tag = looseVersion(exact) === undefined ? await chooseTag(text, version, registry) : exact;
  return { reference: { ...reference, tag: tag.replaceAll('+', '_') }, version: tag, digest: '' };
}

/** Where a version is named too, its tag must be the digest's, if there is such a tag. */
async function byDigest(reference: OciReference, version: string, registry: RegistryClient): Promise<LocatedArtifact> {
  const exact = { ...reference, tag: '' };
  if (version === '') return { reference: exact, version: '', digest: '' };
  const tagged = parseOciReference(`${reference.registry}/${reference.repository}:${version}`);
  // As in Helm, a tag that is not there contradicts nothing.
  const found = await registry
    .repository(tagged)
    .resolve()
    .catch(() => undefined);
  if (found === undefined) return { reference: exact, version: '', digest: '' };
  if (found !== reference.digest)
    throw new GoError(`chart reference digest mismatch: ${found} is not ${reference.digest}`);
  return { reference: exact, version: '', digest: found };
}

async function chooseTag(text: string, wanted: string, registry: RegistryClient): Promise<string> {
  const { tags } = await listTags(text, registry);
  if (tags.length === 0) throw new GoError(`unable to locate any tags in provided repository: ${text}`);
  return matchingTag(tags, wanted);
}

/** The versions of a repository, newest first, and its tags that are none. */
export async function listTags(
  text: string,
  registry: RegistryClient,
): Promise<{ readonly tags: readonly string[]; readonly others: readonly string[] }> {
  const all = await registry.repository({ ...parseOciReference(text), tag: '', digest: '' }).tags();
  const tags = versionTags(all);
  const versions = new Set(tags);
  return { tags, others: all.filter((tag) => !versions.has(tag.replaceAll('_', '+'))) };
}
