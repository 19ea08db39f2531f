import { hasObject, parseManifest } from '../manifest/parse.ts';
import { formatId, idOf } from '../manifest/resource-id.ts';

/** The object of a document, `Deployment/web in shop`, or else the file that it comes from. */
export function subjectOf(source: string, text: string): string {
  const manifest = parseManifest(text, source);
  return hasObject(manifest) ? formatId(idOf(manifest.object)) : source;
}
