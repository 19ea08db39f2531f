import { hasObject, parseManifests } from '../manifest/parse.ts';
import type { Manifest } from '../manifest/types.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

/** The resources of a stored manifest (Release.manifest), in its order, without empty documents. Errors: `corrupt-release`. */
export function readStoredManifest(text: string): readonly Manifest[] {
  try {
    return parseManifests(text).filter(hasObject);
  } catch (cause) {
    throw new TshelmError('corrupt-release', {
      message: `corrupted release record. You must manually delete the resources: ${messageOf(cause)}`,
      cause,
    });
  }
}
