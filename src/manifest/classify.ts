import { slogLine } from '../go/slog.ts';
import { groupBy } from '../support/group-by.ts';
import { sortedEntries } from '../support/order.ts';
import { annotations } from './annotations.ts';
import { hookOf, isHook } from './hook.ts';
import { sortByKind } from './kind-order.ts';
import { legalDocument } from './legal-annotations.ts';
import { type KnownDocuments, type ParsedDocument, parseDocument } from './parse.ts';
import { groupOf } from './resource-id.ts';
import { splitDocuments } from './split.ts';
import type { Classified, Hook, Manifest } from './types.ts';

export interface ClassifyOptions {
  /** Also take Helm 2's `crd-install` and `test-failure` as hooks, which Helm 4 drops with a warning. */
  readonly knowHelm2Events?: boolean | undefined;
  /** Rewrites ordering annotations that the API server would refuse; without it, the text stays as it was rendered. */
  readonly legalAnnotations?: boolean | undefined;
  /** Documents that other renders have read. */
  readonly documents?: KnownDocuments | undefined;
}

/**
 * The documents of rendered files (path → text) as resources and hooks, both in install order by kind, and otherwise by
 * path and place in the file. Partials (`_…`) are left out. Follows releaseutil.SortManifests.
 * Fails with `invalid-manifest` ("YAML parse error on PATH: …").
 */
export function classify(files: ReadonlyMap<string, string>, options: ClassifyOptions = {}): Classified {
  const resources: ParsedDocument[] = [];
  const hooks: Hook[] = [];
  const warnings: string[] = [];
  const skipped: Manifest[] = [];
  for (const document of documentsOf(files, options)) {
    if (!isHook(document.head)) {
      resources.push(document);
      continue;
    }
    const { source, text } = document.manifest;
    const hook = hookOf(document.head, source, text, options.knowHelm2Events);
    if (hook !== undefined) {
      hooks.push(hook);
      continue;
    }
    skipped.push(document.manifest);
    warnings.push(skippedHook(document.head.annotations.get(annotations.hook) ?? ''));
  }
  const twice = duplicates(resources);
  return {
    manifests: sortByKind(resources, ({ head }) => head.kind).map(({ manifest }) => manifest),
    hooks: sortByKind(hooks, ({ kind }) => kind),
    warnings,
    ...(skipped.length > 0 && { skipped }),
    ...(twice.length > 0 && { twice }),
  };
}

/** Objects are looked at only where heads are equal: of many documents nobody has read more. */
function duplicates(resources: readonly ParsedDocument[]): readonly (readonly Manifest[])[] {
  const named = resources.filter(({ head }) => head.name !== '');
  const byHead = groupBy(named, ({ head }) => `${groupOf(head.apiVersion)} ${head.kind} ${head.name}`);
  return several(byHead).flatMap((alike) => {
    const manifests = alike.map(({ manifest }) => manifest);
    return several(groupBy(manifests, ({ object }) => object.metadata.namespace ?? ''));
  });
}

const several = <T>(groups: ReadonlyMap<string, readonly T[]>): readonly (readonly T[])[] =>
  [...groups.values()].filter(({ length }) => length > 1);

function* documentsOf(
  files: ReadonlyMap<string, string>,
  { legalAnnotations: isLegal = false, documents }: ClassifyOptions,
): Generator<ParsedDocument> {
  const parse = documents?.parse ?? parseDocument;
  for (const [path, text] of sortedEntries(files)) {
    if (isPartial(path)) continue;
    for (const document of splitDocuments(text)) yield parse(isLegal ? legalDocument(document) : document, path);
  }
}

/** Whether a file is there for others to include: it has no output of its own. */
export const isPartial = (path: string): boolean => path.slice(path.lastIndexOf('/') + 1).startsWith('_');

const skippedHook = (hookTypes: string): string => slogLine('INFO', 'skipping unknown hooks', { hookTypes });
