import { formatFloat } from '../go/strconv/format-float.ts';
import { type MappingNode, meaningOfScalar, readPlainYaml, readYamlNode, type YamlNode } from '../yaml/index.ts';
import type { PlainValue } from './encrypted-value.ts';
import type { Leaf, PlainLeaf, SopsFile } from './tree.ts';

/** A value of a YAML or JSON text. */
export interface TextLeaf extends Leaf {
  /** Where it begins, counted from 0. */
  readonly line: number;
  readonly column: number;
}

/** The key of what sops itself writes. */
const ownKey = 'sops';

/** A YAML or JSON text; undefined where nothing says that sops encrypted it. Throws for a file that sops cannot have written. */
export function readSopsText(text: string): SopsFile<TextLeaf> | undefined {
  const documents = documentsIn(text);
  const [first] = documents;
  if (first === undefined) return undefined;
  const whole = readPlainYaml(text) as Readonly<Record<string, unknown>>;
  const leaves: TextLeaf[] = [];
  for (const { root, member, firstLine } of documents) collect(root, [], { leaves, firstLine, without: member });
  return { metadata: whole[ownKey], leaves, plain: (values) => replaced(text, values, documents) };
}

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
  const starts = [0];
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) if (index > 0 && /^---(?:\s|$)/.test(line)) starts.push(index);
  return starts.flatMap((firstLine, index) => {
    const own = lines.slice(firstLine, starts[index + 1]);
    const root = readYamlNode(own.join('\n'));
    const member = root?.kind === 'mapping' ? ownMember(root) : undefined;
    return root?.kind === 'mapping' && member !== undefined ? [{ firstLine, lineCount: own.length, root, member }] : [];
  });
}

/** The values of a text that are texts. */
export function textsIn(text: string): readonly string[] {
  const leaves: TextLeaf[] = [];
  const root = readYamlNode(text);
  if (root !== undefined) collect(root, [], { leaves, firstLine: 0 });
  return leaves.map((leaf) => leaf.text);
}

function ownMember(root: MappingNode): number | undefined {
  const at = root.pairs.findIndex((node, index) => index % 2 === 0 && node.kind === 'scalar' && node.value === ownKey);
  return at >= 0 && root.pairs[at + 1]?.kind === 'mapping' ? at : undefined;
}

interface Collected {
  readonly leaves: TextLeaf[];
  readonly firstLine: number;
  /** A member of the root that does not count. */
  readonly without?: number | undefined;
}

function collect(node: YamlNode, path: readonly string[], { leaves, firstLine, without }: Collected): void {
  const line = node.line + firstLine;
  if (node.kind === 'alias') throw new Error(`line ${line + 1}: sops writes no aliases`);
  if (node.kind === 'sequence') for (const item of node.items) collect(item, path, { leaves, firstLine });
  if (node.kind === 'mapping') {
    for (let index = 0; index < node.pairs.length; index += 2) {
      const key = node.pairs[index] as YamlNode;
      if (index === without) continue;
      if (key.kind !== 'scalar') throw new Error(`line ${line + 1}: sops writes no keys that are no texts`);
      collect(node.pairs[index + 1] as YamlNode, [...path, key.value], { leaves, firstLine });
    }
  }
  if (node.kind !== 'scalar') return;
  const meaning = meaningOfScalar(node);
  if (meaning.kind === 'null') return;
  const { column, value } = node;
  leaves.push({ path, text: value, line, column, bytes: () => Buffer.from(countedText(meaning)) });
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

function replaced(text: string, values: readonly PlainLeaf<TextLeaf>[], documents: readonly SopsDocument[]): string {
  const startOf = startsOf(text.split('\n'));
  const edits = values.map(({ leaf, plain }) => {
    const from = startOf(leaf);
    return { from, to: from + writtenLength(text, from, leaf.text), by: written(plain) };
  });
  for (const one of documents) edits.push({ ...ownStretch(text, one, startOf), by: '' });
  edits.sort((a, b) => b.from - a.from);
  const plain = edits.reduce((whole, { from, to, by }) => whole.slice(0, from) + by + whole.slice(to), text);
  return plain.replaceAll(encryptedComment, '');
}

/** What they say is of no use to a program: they go. */
const encryptedComment = /[ \t]*#ENC\[AES256_GCM,data:[^\]\n]*,type:comment\]/g;

type Place = { readonly line: number; readonly column: number };

function startsOf(lines: readonly string[]): (place: Place) => number {
  let at = 0;
  const starts = lines.map((line) => {
    const start = at;
    at += line.length + 1;
    return start;
  });
  return ({ line, column }) => (starts[line] ?? at) + column;
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

/** A text as JSON writes it is YAML too, once what YAML does not print is escaped. */
function written({ type, data }: PlainValue): string {
  const text = data.toString();
  if (type === 'bool') return text.toLowerCase();
  if (type === 'int' || type === 'float') return text;
  return JSON.stringify(text).replace(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, escaped);
}

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
