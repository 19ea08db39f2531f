import { withJsonPatch, withStrategicMergePatch } from '../../kinds/object-patches.ts';
import { hasObject, parseManifests } from '../../manifest/parse.ts';
import { groupOf, titleOf } from '../../manifest/resource-id.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { parseSelector } from '../../release/label-selector.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { endingInLineBreak } from '../../support/text.ts';
import { writePlainYaml } from '../../yaml/index.ts';
import type { JsonPatch, MergePatch, ReleasePatches } from './types.ts';

/** A document, and what has become of it: undefined once a patch has deleted it. */
interface Patched {
  readonly text: string;
  readonly source: string;
  readonly before: KubernetesObject;
  object: KubernetesObject | undefined;
}

/**
 * A stream of rendered manifests with the patches of a release carried out, as kustomize does it: first those for
 * targets, then the partial objects. Documents that no patch fits stay as they are, to the byte. Errors:
 * `stack-patch-failed` for an operation that does not apply and for a partial object that nothing fits.
 */
export function applyPatches(
  manifests: string,
  patches: Omit<ReleasePatches, 'transformers'>,
  release: string,
): string {
  const documents = parseManifests(manifests)
    .filter(hasObject)
    .map(({ text, source, object }): Patched => ({ text, source, before: object, object }));
  for (const patch of patches.jsonPatches) applyJsonPatch(documents, patch, release);
  for (const patch of patches.strategicMergePatches) applyMergePatch(documents, patch, release);
  return documents.map(documentText).join('');
}

function documentText({ text, source, before, object }: Patched): string {
  if (object === undefined) return '';
  const body = object === before ? endingInLineBreak(text) : writePlainYaml(object);
  return `---\n${source === '' ? '' : `# Source: ${source}\n`}${body}`;
}

const failed = (release: string, where: string, why: string, cause?: unknown): TshelmError =>
  new TshelmError('stack-patch-failed', {
    message: `release ${release}: ${where}: ${why}`,
    details: { release },
    cause,
  });

function applyJsonPatch(
  documents: readonly Patched[],
  { target, operations, where }: JsonPatch,
  release: string,
): void {
  for (const document of documents) {
    const { object } = document;
    if (object === undefined || !fits(object, target)) continue;
    try {
      document.object = withJsonPatch(object, operations);
    } catch (cause) {
      throw failed(release, where, `${titleOf(object)}: ${messageOf(cause)}`, cause);
    }
  }
}

/** Kustomize's selector: every part that is given has to fit the whole of what the object says. */
function fits(object: KubernetesObject, target: JsonPatch['target']): boolean {
  const { labels, annotations, name, namespace = '' } = object.metadata;
  const group = groupOf(object.apiVersion);
  const version = object.apiVersion.split('/').at(-1) ?? '';
  const facts: Readonly<Record<string, string>> = { group, version, kind: object.kind, name, namespace };
  const isMet = ([part, text]: readonly [string, string]): boolean => {
    if (text === '') return true;
    if (part === 'labelSelector') return parseSelector(text)(labels ?? {});
    if (part === 'annotationSelector') return parseSelector(text)(annotations ?? {});
    return part in facts && new RegExp(`^(?:${text})$`).test(facts[part] ?? '');
  };
  return Object.entries(target).every(isMet);
}

function applyMergePatch(documents: readonly Patched[], { object: patch, where }: MergePatch, release: string): void {
  const { apiVersion, kind, metadata } = patch as {
    apiVersion?: string;
    kind?: string;
    metadata?: KubernetesObject['metadata'];
  };
  const isMeant = ({ object }: Patched): boolean =>
    object !== undefined &&
    object.kind === kind &&
    groupOf(object.apiVersion) === groupOf(apiVersion ?? '') &&
    object.metadata.name === metadata?.name &&
    (metadata?.namespace === undefined || (object.metadata.namespace ?? metadata.namespace) === metadata.namespace);
  const meant = documents.filter(isMeant);
  if (meant.length === 0) {
    const name = `${kind ?? ''}/${metadata?.name ?? ''} (${apiVersion ?? ''})`;
    throw failed(release, where, `no resource matches the strategic merge patch for ${name}`);
  }
  for (const document of meant) {
    const object = document.object as KubernetesObject;
    try {
      document.object = patch['$patch'] === 'delete' ? undefined : withStrategicMergePatch(object, patch);
    } catch (cause) {
      throw failed(release, where, `${titleOf(object)}: ${messageOf(cause)}`, cause);
    }
  }
}
