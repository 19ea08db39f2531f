import type { CrdFile } from '../chart/types.ts';
import { hasObject, parseManifest } from '../manifest/parse.ts';
import { splitDocuments } from '../manifest/split.ts';
import type { Manifest } from '../manifest/types.ts';
import { TshelmError } from '../support/errors.ts';
import { decodeText } from '../support/text.ts';

/** The objects of the CRD files, in their order. Errors: `crd-failed` for a file without any, `invalid-manifest`. */
export const crdManifests = (crds: readonly CrdFile[]): readonly Manifest[] => crds.flatMap(manifestsOfFile);

function manifestsOfFile(crd: CrdFile): readonly Manifest[] {
  const manifests = splitDocuments(decodeText(crd.data))
    .map((document) => parseManifest(document, crd.filename))
    .filter(hasObject);
  if (manifests.length > 0) return manifests;
  throw new TshelmError('crd-failed', {
    message: `failed to install CRD ${crd.name}: resources are empty`,
    details: { file: crd.filename },
  });
}
