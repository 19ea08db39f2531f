import { hasObject, parseManifests } from '../manifest/parse.ts';
import type { Manifest } from '../manifest/types.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

/** Several phases of one change read the manifest of the same revision; of a large one that takes time. */
let last: { readonly text: string; readonly manifests: readonly Manifest[] } | undefined;

/** The resources of a stored manifest (Release.manifest), in its order, without empty documents. Errors: `corrupt-release`. */
export function readStoredManifest(text: string): readonly Manifest[] {
  if (last?.text !== text) last = { text, manifests: parsed(text) };
  return last.manifests;
}

function parsed(text: string): readonly Manifest[] {
  try {
    return parseManifests(text).filter(hasObject);
  } catch (cause) {
    throw new TshelmError('corrupt-release', {
      message: `corrupted release record. You must manually delete the resources: ${messageOf(cause)}`,
      cause,
    });
  }
}
