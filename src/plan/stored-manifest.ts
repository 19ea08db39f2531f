import { RenderedManifest } from '../manifest/document.ts';
import { splitDocuments } from '../manifest/split.ts';
import type { Manifest } from '../manifest/types.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

const sourceLine = /^# Source: (.*)\n/;

/**
 * The resources of a stored manifest (Release.manifest), in its order. Documents that hold nothing are left out.
 * Errors: `corrupt-release`.
 */
export function readStoredManifest(text: string): readonly Manifest[] {
  return splitDocuments(text)
    .map(readDocument)
    .filter((manifest) => manifest.object.kind !== '' || manifest.object.apiVersion !== '');
}

function readDocument(document: string): Manifest {
  const source = document.match(sourceLine)?.[1] ?? '';
  try {
    return new RenderedManifest(source, document.replace(sourceLine, ''));
  } catch (cause) {
    throw new TshelmError('corrupt-release', {
      message: `corrupted release record. You must manually delete the resources: ${source}: ${messageOf(cause)}`,
      details: { source },
      cause,
    });
  }
}
