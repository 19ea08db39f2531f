import type { CrdFile } from '../chart/types.ts';
import { decodeText } from '../go/text.ts';
import type { Hook, Manifest } from '../manifest/types.ts';

/** One document as Helm stores and prints it. */
export const documentText = (source: string, text: string): string => `---\n# Source: ${source}\n${text}\n`;

export interface ManifestTextOptions {
  /** Shows of Secrets only that they are there. */
  readonly hideSecrets?: boolean | undefined;
}

/** The manifest of a release: its resources, after the CRD files where those are included. */
export function manifestText(
  manifests: readonly Manifest[],
  crds: readonly CrdFile[] = [],
  options: ManifestTextOptions = {},
): string {
  const documents = [
    ...crds.map((crd) => documentText(crd.filename, decodeText(crd.data))),
    ...manifests.map((manifest) =>
      options.hideSecrets === true && isSecret(manifest) ? hiddenSecret(manifest.source) : manifestDocument(manifest),
    ),
  ];
  return documents.join('');
}

const manifestDocument = ({ source, text }: Manifest): string => documentText(source, text);
export const hookDocument = ({ path, manifest }: Hook): string => documentText(path, manifest);

const isSecret = ({ object }: Manifest): boolean => object.kind === 'Secret' && object.apiVersion === 'v1';

const hiddenSecret = (source: string): string =>
  `---\n# Source: ${source}\n# HIDDEN: The Secret output has been suppressed\n`;
