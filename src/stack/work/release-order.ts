import { resolve } from 'node:path';
import { type OrderFile, orderFileOf, readOrderFile } from '../../chart/order-file.ts';
import type { GoMap } from '../../go/value.ts';
import { indentOf } from '../../support/text.ts';
import { lineOfKeys, readPlainYaml, writeYamlPretty } from '../../yaml/index.ts';
import { withLocation } from '../location.ts';
import type { StackFile } from '../read-stack.ts';
import { absolute, type Reading } from '../reading.ts';
import type { ReleaseSpec } from '../schema.ts';

/** What `order` of a release says: the path of an order file, or what one would say. Errors: `order-file-invalid`. */
export function orderOfRelease(
  { order, name }: ReleaseSpec,
  file: StackFile,
  { world }: Pick<Reading, 'world'>,
): OrderFile | undefined {
  if (order === undefined) return undefined;
  const place = file.locate({ field: 'order', release: name });
  if (typeof order !== 'string') return inlineOrder(order, place, file, world);
  try {
    return readOrderFile(world.readFile(resolve(file.place.cwd, order)), order);
  } catch (error) {
    throw withLocation(error, () => place);
  }
}

function inlineOrder(order: GoMap, place: string, { place: ofFile }: StackFile, world: Reading['world']): OrderFile {
  const [, path = place, digits = ''] = /^(.*):(\d+)$/.exec(place) ?? [];
  const line = Number(digits);
  const block = blockAt(world.readFile(path).split('\n'), line - 1);
  const lineOf = (keys: readonly string[]): number | undefined => {
    const found = lineOfKeys(block, ['order', ...keys]);
    return found === undefined ? (keys.length === 1 ? line : undefined) : found + line - 1;
  };
  const shown = path === absolute(ofFile, ofFile.file) ? ofFile.file : path;
  return orderFileOf(readPlainYaml(writeYamlPretty(order)), shown, lineOf);
}

/** A field and what is below it, by its indentation: most of a state file may be templates. */
function blockAt(lines: readonly string[], from: number): string {
  const first = (lines[from] ?? '').replace(/^(\s*)- /, '$1  ');
  const depth = indentOf(first);
  const rest = lines.slice(from + 1);
  const end = rest.findIndex((text) => text.trim() !== '' && indentOf(text) <= depth);
  return [first, ...(end < 0 ? rest : rest.slice(0, end))].join('\n');
}
