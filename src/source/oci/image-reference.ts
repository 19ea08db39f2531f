import { GoError } from '../../go/value.ts';
import { hasCode } from '../../support/errors.ts';
import type { OciReference } from './reference.ts';
import type { RegistryClient } from './registry-client.ts';

/** An image as pods name it: without a registry it is Docker Hub's, without a tag it is `latest`. */
export function parseImageReference(image: string): OciReference {
  const at = image.indexOf('@');
  const [named, digest] = at < 0 ? [image, ''] : [image.slice(0, at), image.slice(at + 1)];
  const slash = named.indexOf('/');
  const first = slash < 0 ? '' : named.slice(0, slash);
  const hasRegistry = /[.:]/.test(first) || first === 'localhost';
  const path = hasRegistry ? named.slice(slash + 1) : named;
  const registry = hasRegistry ? first : 'docker.io';
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
export async function imageDigest(image: string, [registry, ...others]: readonly RegistryClient[]): Promise<string> {
  const reference = parseImageReference(image);
  if (reference.digest !== '') return reference.digest;
  if (registry === undefined) throw new Error('internal: no way to the registry');
  let digest: string | undefined;
  try {
    digest = await registry.repository(reference).resolve();
  } catch (cause) {
    if (!hasCode(cause, 'download-failed') || others.length === 0) throw cause;
    // Of ways that nobody answers, the first counts; an answer counts in any case.
    return imageDigest(image, others).catch((other: unknown) => {
      throw hasCode(other, 'download-failed') ? cause : other;
    });
  }
  if (digest === undefined) throw new GoError(`${image}: not found`);
  return digest;
}
