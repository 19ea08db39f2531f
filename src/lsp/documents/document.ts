import type { Extent, Lines } from '../../support/lines.ts';
import type { Completion, Completions } from '../completion.ts';
import type { Hover } from '../hover-type.ts';
import { keyBefore, keysAround } from '../value-keys.ts';
import type { FileKind } from '../workspace.ts';
import { chartYaml } from './chart-yaml.ts';
import { orderFile } from './order-file.ts';
import { fieldsBelow, type Shape, shapeAt } from './shape.ts';
import { stateFile } from './state-file.ts';

/** The keys of a file; undefined of a file that may have any keys, or is no YAML. */
export function documentShape(kind: FileKind): Shape | undefined {
  switch (kind) {
    case 'chart-yaml':
      return chartYaml;
    case 'stack':
      return stateFile;
    case 'order':
      return orderFile;
    default:
      return undefined;
  }
}

/** What may be written at a place of a file with known keys: a key, or a value of which there are few. */
export function documentCompletions(shape: Shape, lines: Lines, offset: number): Completions {
  const { from, until, indent, line, isKey } = keyBefore(lines, offset);
  if (!isKey) return wordCompletions(shape, lines, offset);
  const fields = fieldsBelow(shape, keysAround(lines, line, indent));
  const items = Object.entries(fields).map(
    ([label, { type, text }]): Completion => ({ label, kind: 'field', detail: type, text, insert: `${label}: ` }),
  );
  return { items, from, until };
}

function wordCompletions(shape: Shape, lines: Lines, offset: number): Completions {
  const key = keyOfLine(lines, offset);
  const written = key && /^\s+(\w*)$/.exec(key.text.slice(key.end, key.character));
  if (!key || !written) return { items: [], from: offset, until: offset };
  const [, word = ''] = written;
  const words = shapeAt(shape, key.keys)?.words ?? [];
  const rest = /^\w*/.exec(key.text.slice(key.character))?.[0].length ?? 0;
  return {
    items: words.map((label) => ({ label, kind: 'value' })),
    from: offset - word.length,
    until: offset + rest,
  };
}

interface KeyOfLine extends Extent {
  /** With those around it. */
  readonly keys: readonly string[];
  readonly text: string;
  /** Where the cursor is in the line, and where the key and its colon end. */
  readonly character: number;
  readonly end: number;
}

function keyOfLine(lines: Lines, offset: number): KeyOfLine | undefined {
  const { line, character } = lines.positionAt(offset);
  const text = lines.line(line);
  const found = /^(\s*(?:- +)*)([\w./-]+):/.exec(text);
  if (found === null) return undefined;
  const [all, before = '', name = ''] = found;
  const from = lines.offsetAt({ line, character: before.length });
  const dashes = before.split('-').length - 1;
  const keys = [...keysAround(lines, line, before.length), ...Array<string>(dashes).fill('*'), name];
  return { keys, text, character, end: all.length, from, until: from + name.length };
}

/** What a key is. */
export function documentHover(shape: Shape, lines: Lines, offset: number): Hover | undefined {
  const key = keyOfLine(lines, offset);
  if (key === undefined || offset < key.from || offset > key.until) return undefined;
  const found = shapeAt(shape, key.keys);
  if (found === undefined) return undefined;
  const name = key.keys.join('.').replaceAll('.*', '[]');
  return {
    markdown: [`\`${name}\`: ${found.type}`, ...(found.text === undefined ? [] : [found.text])].join('\n\n'),
    from: key.from,
    until: key.until,
  };
}
