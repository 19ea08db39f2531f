import type { GoMap } from '../../go/value.ts';
import { splitDocuments } from '../../manifest/split.ts';
import { messageOf } from '../../support/errors.ts';
import { isObject } from '../../support/json.ts';
import { readPlainYaml } from '../../yaml/index.ts';
import type { StackFile } from '../read-stack.ts';
import { absolute, invalid, joined, type Reading } from '../reading.ts';
import { textsOf, textsOfRelease } from '../release-values.ts';
import type { ReleaseSpec } from '../schema.ts';
import { layer } from '../value-maps.ts';
import { readMap } from '../values-files.ts';
import type { JsonPatch, MergePatch, ReleasePatches } from './types.ts';

/**
 * `jsonPatches`, `strategicMergePatches` and `transformers` of a release: maps, or files of them, whose templates see the
 * release's values. Undefined where there are none. Errors: `stack-invalid`.
 */
export function patchesOf(release: ReleaseSpec, file: StackFile, reading: Reading): ReleasePatches | undefined {
  const { jsonPatches = [], strategicMergePatches = [], transformers = [] } = release;
  if (jsonPatches.length + strategicMergePatches.length + transformers.length === 0) return undefined;
  const seen = { ...file, values: layer(file.values, ownValues(release, file, reading)) };
  const read = (field: 'jsonPatches' | 'strategicMergePatches' | 'transformers'): Entry[] =>
    (release[field] ?? []).flatMap((entry, index) =>
      textsOf({ field, entries: [entry] }, release, seen, reading).map(({ text }) => ({
        text,
        where: `${field}[${index}]`,
      })),
    );
  return {
    jsonPatches: read('jsonPatches').map((entry) => jsonPatchOf(entry, release, file, reading)),
    strategicMergePatches: read('strategicMergePatches').flatMap((entry) => mergePatchesOf(entry, release, file)),
    transformers: read('transformers').map(({ text }) => text),
  };
}

const ownValues = (release: ReleaseSpec, file: StackFile, reading: Reading): GoMap =>
  textsOfRelease(release, file, reading).reduce<GoMap>(
    (under, { text }) => layer(under, readMap(text, file.source)),
    new Map(),
  );

interface Entry {
  readonly text: string;
  readonly where: string;
}

function jsonPatchOf({ text, where }: Entry, release: ReleaseSpec, file: StackFile, { world }: Reading): JsonPatch {
  const fail = wrong(where, release, file);
  const { target, patch, path } = mapIn(text, fail);
  const operations =
    typeof path === 'string'
      ? listIn(world.readFile(absolute(file.place, joined(file.place.base, path))), fail)
      : patch;
  if (!isObject(target)) throw fail('it needs a target');
  if (!Array.isArray(operations)) throw fail('either "path" or "patch" must be set');
  const texts = Object.entries(target).map(([key, value]) => [key, String(value)]);
  return { target: Object.fromEntries(texts) as JsonPatch['target'], operations, where };
}

/** A file may hold several. */
function mergePatchesOf({ text, where }: Entry, release: ReleaseSpec, file: StackFile): readonly MergePatch[] {
  const fail = wrong(where, release, file);
  return splitDocuments(text).map((document) => ({ object: mapIn(document, fail), where }));
}

type Fail = (why: string) => Error;

const wrong =
  (where: string, { name = '' }: ReleaseSpec, { place }: StackFile): Fail =>
  (why) =>
    invalid(place.file, `${place.file}: release ${name}: ${where}: ${why}`);

function mapIn(text: string, fail: Fail): Readonly<Record<string, unknown>> {
  const value = valueIn(text, fail);
  if (isObject(value)) return value;
  throw fail('it must be a map');
}

function listIn(text: string, fail: Fail): readonly unknown[] {
  const value = valueIn(text, fail);
  if (Array.isArray(value)) return value;
  throw fail('its file must hold a list of operations');
}

function valueIn(text: string, fail: Fail): unknown {
  try {
    return readPlainYaml(text);
  } catch (cause) {
    throw fail(messageOf(cause));
  }
}
