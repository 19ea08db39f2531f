import { formatFloat } from '../go/strconv/format-float.ts';
import type { Value } from '../go/value.ts';
import {
  type MappingNode,
  meaningOfScalar,
  readYamlNode,
  valueOfNode,
  writeYamlPretty,
  type YamlNode,
} from '../yaml/index.ts';
import { isEncryptedComment, type PlainValue } from './encrypted-value.ts';
import type { Leaf, PlainForm, PlainLeaf, SopsFile } from './tree.ts';

/** A value of a YAML or JSON text. */
export interface TextLeaf extends Leaf {
  /** Where it begins, counted from 0. */
  readonly line: number;
  readonly column: number;
  /** The indentation of a text of several lines that takes its place. */
  readonly indent: number;
  /** Which item it is of a list that has nothing but encrypted comments. */
  readonly ofComments?: 'first' | 'later' | undefined;
}

/** The key of what sops itself writes. */
const ownKey = 'sops';

/** A YAML or JSON text; undefined where nothing says that sops encrypted it. Throws for a file that sops cannot have written. */
export function readSopsText(text: string): SopsFile<TextLeaf> | undefined {
  const documents = documentsIn(text);
  const [first] = documents;
  if (first === undefined) return undefined;
  const leaves: TextLeaf[] = [];
  for (const { root, member, firstLine } of documents)
    collect(root, [], { leaves, firstLine, indent: indentStep, without: member });
  return {
    metadata: plainOf(valueOfNode(first.root.pairs[first.member + 1] as YamlNode, String)),
    leaves,
    plain: (values, form) => replaced(text, { values, leaves, documents, form }),
  };
}

const plainOf = (value: Value): unknown => {
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [key, plainOf(item)]));
  return Array.isArray(value) ? value.map(plainOf) : value;
};

/** One of a file's documents: sops writes its metadata into each. */
interface SopsDocument {
  readonly firstLine: number;
  readonly lineCount: number;
  readonly root: MappingNode;
  /** Of the metadata's key, among the keys and values of the root. */
  readonly member: number;
}

/** [] where the first has no metadata of sops. */
function documentsIn(text: string): readonly SopsDocument[] {
  const starts = lineStarts(text);
  const isFirst = (start: number, line: number): boolean =>
    line === 0 || /^---(?:\s|$)/.test(text.slice(start, start + 4));
  const firstLines = [...starts.keys()].filter((line) => isFirst(starts[line] as number, line));
  return firstLines.flatMap((firstLine, index) => {
    const nextLine = firstLines[index + 1] ?? starts.length;
    const root = readYamlNode(text.slice(starts[firstLine], starts[nextLine]));
    const member = root?.kind === 'mapping' ? ownMember(root) : undefined;
    const lineCount = nextLine - firstLine;
    return root?.kind === 'mapping' && member !== undefined ? [{ firstLine, lineCount, root, member }] : [];
  });
}

/** Where the lines begin, as YAML counts them. */
const lineStarts = (text: string): readonly number[] => [
  0,
  ...[...text.matchAll(/\r\n|[\n\r\u0085\u2028\u2029]/g)].map(({ 0: lineBreak, index }) => index + lineBreak.length),
];

/** The values of a text that are texts. */
export function textsIn(text: string): readonly string[] {
  const leaves: TextLeaf[] = [];
  const root = readYamlNode(text);
  if (root !== undefined) collect(root, [], { leaves, firstLine: 0, indent: indentStep });
  return leaves.map((leaf) => leaf.text);
}

function ownMember(root: MappingNode): number | undefined {
  const at = root.pairs.findIndex((node, index) => index % 2 === 0 && node.kind === 'scalar' && node.value === ownKey);
  return at >= 0 && root.pairs[at + 1]?.kind === 'mapping' ? at : undefined;
}

/** How sops indents. */
const indentStep = 4;

interface Collected {
  readonly leaves: TextLeaf[];
  readonly firstLine: number;
  readonly indent: number;
  readonly ofComments?: TextLeaf['ofComments'];
  /** A member of the root that does not count. */
  readonly without?: number | undefined;
}

function collect(
  node: YamlNode,
  path: readonly string[],
  { leaves, firstLine, indent, ofComments, without }: Collected,
): void {
  const line = node.line + firstLine;
  if (node.kind === 'alias') throw new Error(`line ${line + 1}: sops writes no aliases`);
  if (node.kind === 'sequence') {
    const isOfComments = node.items.every((item) => item.kind === 'scalar' && isEncryptedComment(item.value));
    for (const [index, item] of node.items.entries()) {
      const ofComments = isOfComments ? (index === 0 ? 'first' : 'later') : undefined;
      collect(item, path, { leaves, firstLine, indent: item.column, ofComments });
    }
  }
  if (node.kind === 'mapping') {
    for (let index = 0; index < node.pairs.length; index += 2) {
      const key = node.pairs[index] as YamlNode;
      if (index === without) continue;
      if (key.kind !== 'scalar') throw new Error(`line ${line + 1}: sops writes no keys that are no texts`);
      // Go: yaml_emitter_increase_indent.
      const inner = indentStep * Math.floor((key.column + indentStep) / indentStep);
      collect(node.pairs[index + 1] as YamlNode, [...path, key.value], { leaves, firstLine, indent: inner });
    }
  }
  if (node.kind !== 'scalar') return;
  const meaning = meaningOfScalar(node);
  if (meaning.kind === 'null') return;
  const { column, value } = node;
  leaves.push({
    path,
    text: value,
    line,
    column,
    indent,
    ofComments,
    bytes: () => Buffer.from(countedText(meaning)),
  });
}

/** Go: sops.ToBytes. */
function countedText(meaning: ReturnType<typeof meaningOfScalar>): string {
  switch (meaning.kind) {
    case 'bool':
      return meaning.value ? 'True' : 'False';
    case 'int':
      return String(meaning.value);
    case 'float':
      return formatFloat(meaning.value, 'f', -1);
    default:
      return meaning.text;
  }
}

interface Replacing {
  readonly values: readonly PlainLeaf<TextLeaf>[];
  readonly leaves: readonly TextLeaf[];
  readonly documents: readonly SopsDocument[];
  readonly form: PlainForm;
}

function replaced(text: string, { values, leaves, documents, form }: Replacing): string {
  const startOf = startsOf(text);
  const edits = values.map(({ leaf, plain }): Edit => {
    const from = startOf(leaf);
    const to = from + writtenLength(text, from, leaf.text);
    if (plain.type === 'comment') return itemEdit(text, { from, to, leaf, comment: plain.data.toString() }, form);
    return { from, to, by: written(plain, leaf, form) };
  });
  for (const one of documents) edits.push({ ...ownStretch(text, one, startOf), by: '' });
  edits.push(...commentEdits(text, leaves, form));
  edits.sort((a, b) => a.from - b.from || a.to - b.to);
  let at = 0;
  const pieces = edits.flatMap(({ from, to, by }) => {
    const piece = [text.slice(at, from), by];
    at = to;
    return piece;
  });
  return pieces.join('') + text.slice(at);
}

interface Edit {
  readonly from: number;
  readonly to: number;
  readonly by: string;
}

/** A comment in a list, which is an item of it as long as it is encrypted. A list of nothing else is empty. */
function itemEdit(
  text: string,
  { from, to, leaf, comment }: { from: number; to: number; leaf: TextLeaf; comment: string },
  { spelling }: PlainForm,
): Edit {
  const dash = text.lastIndexOf('-', from);
  const lineStart = text.lastIndexOf('\n', dash) + 1;
  const isOwnLine = text.slice(lineStart, dash).trim() === '';
  const margin = ' '.repeat(Math.max(0, dash - lineStart - indentStep));
  if (leaf.ofComments === 'first') {
    if (spelling === 'values') return { from: dash, to, by: '[]' };
    const keyEnd = text.slice(0, dash).trimEnd().length;
    return { from: keyEnd, to, by: ` []\n${margin}#${comment}` };
  }
  if (spelling === 'values') return { from: isOwnLine ? lineStart : dash, to: isOwnLine ? to + 1 : to, by: '' };
  if (leaf.ofComments === 'later') return { from: lineStart, to, by: `${margin}#${comment}` };
  return { from: dash, to, by: `#${comment}` };
}

const encryptedComment = /[ \t]*#(ENC\[AES256_GCM,data:[^\]\n]*,type:comment\])/g;

/** For values, what comments say is of no use: they go. sops puts those behind values above them. */
function commentEdits(text: string, leaves: readonly TextLeaf[], form: PlainForm): readonly Edit[] {
  const starts = lineStarts(text);
  let [line, next] = [0, 0];
  return [...text.matchAll(encryptedComment)].flatMap(({ 0: whole, 1: encrypted = '', index }) => {
    const to = index + whole.length;
    if (form.spelling === 'values') return [{ from: index, to, by: '' }];
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= index) line += 1;
    while ((leaves[next]?.line ?? Number.POSITIVE_INFINITY) < line) next += 1;
    const plain = form.openComment(encrypted, pathsAround([leaves[next - 1], leaves[next], leaves[next + 1]]));
    if (plain === undefined) return [];
    const lineStart = starts[line] as number;
    const before = text.slice(lineStart, index);
    if (before.trim() === '') return [{ from: to - encrypted.length, to, by: plain }];
    const margin = /^ */.exec(before)?.[0] ?? '';
    return [
      { from: lineStart, to: lineStart, by: `${margin}#${plain}\n` },
      { from: index, to, by: '' },
    ];
  });
}

/** A comment belongs to one of the maps around the values beside it; only with the right one it opens. */
const pathsAround = (beside: readonly (TextLeaf | undefined)[]): readonly (readonly string[])[] => [
  [],
  ...beside.flatMap((leaf) => leaf?.path.map((_, index) => leaf.path.slice(0, index + 1)) ?? []),
];

type Place = { readonly line: number; readonly column: number };

function startsOf(text: string): (place: Place) => number {
  const starts = lineStarts(text);
  return ({ line, column }) => (starts[line] ?? text.length) + column;
}

/** How long a value is in the text: with its quotes, where it has some. */
function writtenLength(text: string, from: number, value: string): number {
  const quoted = /["']/.test(text[from] ?? '') ? 1 : 0;
  if (text.startsWith(value, from + quoted)) return value.length + 2 * quoted;
  throw new Error(`a value of sops is not in one piece: ${text.slice(from, from + 20)}…`);
}

/** The metadata with its key. In flow style, as in JSON, the comma before it goes too. */
function ownStretch(
  text: string,
  { root, member, firstLine, lineCount }: SopsDocument,
  startOf: (place: Place) => number,
): { from: number; to: number } {
  const at = ({ line, column }: Place): number => startOf({ line: line + firstLine, column });
  const key = root.pairs[member] as YamlNode;
  const { brace } = root.pairs[member + 1] as MappingNode;
  const next = root.pairs[member + 2];
  if (root.brace === undefined || brace === undefined)
    return { from: at({ line: key.line, column: 0 }), to: at({ line: next?.line ?? lineCount, column: 0 }) };
  if (next !== undefined) return { from: at(key), to: at(next) };
  return { from: text.slice(0, at(key)).replace(/,?\s*$/, '').length, to: at(brace) + 1 };
}

/** A text as JSON writes it is YAML too, once what YAML does not print is escaped. It leaves lines where they stand. */
function written({ type, data }: PlainValue, { indent }: TextLeaf, { spelling }: PlainForm): string {
  const text = data.toString();
  if (type === 'bool') return text.toLowerCase();
  if (type === 'int') return text;
  if (type === 'float') return notFinite[text] ?? (spelling === 'sops' ? formatFloat(Number(text), 'g', -1) : text);
  if (spelling === 'sops') return type === 'time' ? text : writtenBySops(text, indent);
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
}

const notFinite: Readonly<Record<string, string>> = { NaN: '.nan', '+Inf': '.inf', '-Inf': '-.inf' };

/** Go: yaml.Node.Encode, and Encoder.Encode with an indent of four. */
function writtenBySops(text: string, indent: number): string {
  if (text === '<<') return '!!merge <<';
  const [head = '', ...lines] = writeYamlPretty(new Map([['k', text]]))
    .slice('k: '.length, -1)
    .split('\n');
  const margin = ' '.repeat(indent);
  return [head.replace(/^\|2/, '|4'), ...lines.map((line) => (line === '' ? '' : margin + line.slice(2)))].join('\n');
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
