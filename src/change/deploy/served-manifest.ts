import { declaredKinds, servedMappings } from '../../execute/apply/targets.ts';
import { kindInGroup } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import type { Release } from '../../release/types.ts';
import { documentText } from '../../render/manifest-text.ts';
import type { Context } from '../context.ts';

/**
 * A revision as the cluster can take it today: objects in a version that is not served any more are written in a served
 * one of the same kind, and those of kinds that are gone are left out; both are reported. The new record holds what was
 * really sent, so that the next program, Helm too, can read its kinds.
 */
export async function servedRevision(release: Release, context: Context): Promise<Release> {
  const manifests = readStoredManifest(release.manifest);
  const own = declaredKinds(manifests, release.hooks);
  const isOwn = ({ object }: Manifest): boolean => own.has(kindInGroup(object));
  const asked = manifests.filter((manifest) => !isOwn(manifest) && !manifest.object.kind.endsWith('List'));
  const where = { cluster: await context.cluster(), namespace: release.namespace, signal: context.signal };
  const servedAs = await servedMappings(
    asked.map(({ object }) => object),
    where,
  );
  let text = release.manifest;
  for (const manifest of asked) {
    const apiVersion = servedAs(manifest.object);
    if (apiVersion === manifest.object.apiVersion) continue;
    text = apiVersion === undefined ? withoutDocument(text, manifest) : withApiVersion(text, manifest, apiVersion);
    context.onEvent?.({ kind: 'warning', text: changeText(manifest, apiVersion) });
  }
  return text === release.manifest ? release : { ...release, manifest: text };
}

const withoutDocument = (text: string, { source, text: document }: Manifest): string =>
  [documentText(source, document), document].reduce((rest, part) => rest.replace(part, () => ''), text);

const withApiVersion = (text: string, { text: document }: Manifest, apiVersion: string): string =>
  text.replace(document, () => document.replace(/^apiVersion:.*$/m, `apiVersion: ${apiVersion}`));

function changeText({ object: { apiVersion, kind, metadata } }: Manifest, served: string | undefined): string {
  const gone = `the cluster no longer serves ${kind} (${apiVersion})`;
  return served === undefined
    ? `${gone}; ${kind}/${metadata.name} is not restored`
    : `${gone}; ${kind}/${metadata.name} is sent as ${served}`;
}
