import { GoError } from '../../go/value.ts';
import type { FoundSignatures } from '../../sigstore/demand.ts';
import { hasCode } from '../../support/errors.ts';
import type { OciReference } from './reference.ts';
import type { RegistryClient } from './registry-client.ts';
import { fetchSignatures } from './signatures.ts';

/** An image as pods name it: without a registry it is Docker Hub's, without a tag it is `latest`. */
export function parseImageReference(image: string): OciReference {
  const at = image.indexOf('@');
  const [named, digest] = at < 0 ? [image, ''] : [image.slice(0, at), image.slice(at + 1)];
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === 'localhost';
  const path = hasRegistry ? named.slice(slash + 1) : named;
  const registry = hasRegistry && first !== 'index.docker.io' ? first : 'docker.io';
  const colon = path.lastIndexOf(':');
  const repository = colon < 0 ? path : path.slice(0, colon);
  const tag = colon >= 0 ? path.slice(colon + 1) : digest === '' ? 'latest' : '';
  const isLibrary = registry === 'docker.io' && !repository.includes('/');
  return { registry, repository: isLibrary ? `library/${repository}` : repository, tag, digest };
}

/**
 * The digest that an image has in its registry now; the one that it names, where it names one. Where nobody answers in
 * one way, the next is tried.
 */
export async function imageDigest(image: string, registries: readonly RegistryClient[]): Promise<string> {
  const reference = parseImageReference(image);
  if (reference.digest !== '') return reference.digest;
  const digest = await firstAnswer(registries, (registry) => registry.repository(reference).resolve());
  if (digest === undefined) throw new GoError(`${image}: not found`);
  return digest;
}

/** The manifest that an image has in its registry now, and its signatures. */
export interface SignedImage {
  readonly manifest: Uint8Array;
  readonly signatures: FoundSignatures;
}

/** Tries registries as `imageDigest` does. */
export function signedImage(image: string, registries: readonly RegistryClient[]): Promise<SignedImage> {
  const { digest, ...reference } = parseImageReference(image);
  // What a digest names is that, whatever tag is before it.
  const exact = { ...reference, digest, tag: digest === '' ? reference.tag : '' };
  return firstAnswer(registries, async (registry) => {
    const repository = registry.repository(exact);
    const { bytes } = await repository.fetchManifest();
    const { bundles, legacy } = await fetchSignatures(repository, bytes);
    return { manifest: bytes, signatures: { bundles, legacy } };
  });
}

async function firstAnswer<T>(
  [registry, ...others]: readonly RegistryClient[],
  ask: (registry: RegistryClient) => Promise<T>,
): Promise<T> {
  if (registry === undefined) throw new Error('internal: no way to the registry');
  try {
    return await ask(registry);
  } catch (cause) {
    if (!hasCode(cause, 'download-failed') || others.length === 0) throw cause;
    // Of ways that nobody answers, the first counts; an answer counts in any case.
    return firstAnswer(others, ask).catch((other: unknown) => {
      throw hasCode(other, 'download-failed') ? cause : other;
    });
  }
}
