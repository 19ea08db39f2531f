import { isObject } from '../support/json.ts';
import { pairsOf, readPlainYaml, readYamlNode, withoutAlias, type YamlNode } from '../yaml/index.ts';

/** What the comments of a values.yaml say about a value. */
export interface ValueComment {
  readonly description?: string | undefined;
  /** JSON Schema's names of types; `any` where the author's word is none of them. */
  readonly types?: readonly string[] | undefined;
  /** Keywords of JSON Schema, of an `@schema` block. */
  readonly keywords?: Readonly<Record<string, unknown>> | undefined;
  /** Keys that comments between its members show. */
  readonly shown?: readonly string[] | undefined;
}

/**
 * What the comments of a values.yaml say, by the keys of the values with dots between them: those of helm-docs
 * (`# -- (int) text` above a key, `# image.tag -- text` anywhere), of Bitnami (`## @param image.tag [string, nullable] text`),
 * and of the schema plugins (`# @schema` around keywords, or before them in one line).
 */
export function valueComments(text: string): ReadonlyMap<string, ValueComment> {
  const lines = text.split('\n').map((line) => line.trim());
  const found = new Map<string, ValueComment>(lines.flatMap((line, index) => namedComment(lines, line, index)));
  const keys = linesOfKeys(text);
  for (const [index, [name, line]] of keys.entries()) {
    const next = keys.find(([other], at) => at > index && !other.startsWith(`${name}.`));
    const shown = keysShown(lines.slice(line + 1, next?.[1]));
    found.set(name, { ...found.get(name), ...commentAbove(lines, line), shown });
  }
  return found;
}

/** The comments right above the keys of a values.yaml, whatever they say, each in one line. */
export function commentsAbove(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').map((line) => line.trim());
  return new Map(
    linesOfKeys(text).flatMap(([name, line]): [string, string][] => {
      const said = blockAbove(lines, line).filter((one) => one !== '');
      return said.length === 0 ? [] : [[name, said.join(' ')]];
    }),
  );
}

const keysShown = (lines: readonly string[]): readonly string[] =>
  lines.flatMap((line) => line.match(/^#[#\s-]*([a-z][\w.-]*):(?: |$)/)?.[1] ?? []);

const namedComment = (lines: readonly string[], line: string, index: number): [string, ValueComment][] => {
  const [, name = '', types, text = ''] = line.match(/^##+ +@(?:param|extra) +(\S+)(?: +\[([^\]]*)\])?(.*)$/) ?? [];
  if (name !== '') return [[name, { description: text.trim(), ...(types && { types: typesIn(types) }) }]];
  const [, path, described = ''] = line.match(/^#+ +([\w.-]+) +-- +(.*)$/) ?? [];
  return path === undefined ? [] : [[path, helmDocs(described, blockFrom(lines, index + 1))]];
};

/** What the comment right above a line says in one of these forms. */
function commentAbove(lines: readonly string[], line: number): ValueComment | undefined {
  const { keywords, rest } = schemaBlock(blockAbove(lines, line));
  const first = rest.findLastIndex((one) => one.startsWith('-- '));
  if (first < 0) return keywords && { keywords };
  return { ...helmDocs((rest[first] as string).slice(3), rest.slice(first + 1)), ...(keywords && { keywords }) };
}

function blockFrom(lines: readonly string[], start: number): readonly string[] {
  const end = lines.findIndex((line, index) => index >= start && !line.startsWith('#'));
  return lines.slice(start, end < 0 ? lines.length : end).map(withoutSign);
}

function blockAbove(lines: readonly string[], line: number): readonly string[] {
  let start = line;
  while (lines[start - 1]?.startsWith('#')) start--;
  return lines.slice(start, line).map(withoutSign);
}

const withoutSign = (line: string): string => line.replace(/^#+ ?/, '').trimEnd();

/** `(int) text`, with the lines below it up to an `@default --` or another description. */
function helmDocs(first: string, below: readonly string[]): ValueComment {
  const end = below.findIndex((line) => line === '' || line.startsWith('@') || line.includes(' -- '));
  const lines = [first, ...(end < 0 ? below : below.slice(0, end))];
  const [, types, text = ''] = lines.join(' ').match(/^(?:\(([^)]*)\))?(.*)$/) ?? [];
  return { description: text.trim(), ...(types && { types: typesIn(types) }) };
}

const typesIn = (text: string): readonly string[] =>
  text
    .split(/[\s,/|()]+/)
    .filter((word) => word !== '' && word !== 'or' && !word.endsWith(':'))
    .map((word) => typeNames[word.toLowerCase()] ?? 'any');

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  str: 'string',
  tpl: 'string',
  int: 'integer',
  integer: 'integer',
  number: 'number',
  float: 'number',
  bool: 'boolean',
  boolean: 'boolean',
  list: 'array',
  array: 'array',
  object: 'object',
  dict: 'object',
  map: 'object',
  null: 'null',
  nullable: 'null',
};

/** Takes `# @schema` blocks out of a comment. */
function schemaBlock(block: readonly string[]) {
  const keywords: Record<string, unknown> = {};
  const rest: string[] = [];
  let open: string[] | undefined;
  for (const line of block) {
    const [, inLine] = line.match(/^@schema\b(.*)$/) ?? [];
    if (inLine === undefined) (open ?? rest).push(line);
    else if (inLine.trim() !== '') Object.assign(keywords, keywordsIn(inLine.replaceAll(';', '\n')));
    else if (open === undefined) open = [];
    else {
      Object.assign(keywords, keywordsIn(open.join('\n')));
      open = undefined;
    }
  }
  return { keywords: Object.keys(keywords).length === 0 ? undefined : keywords, rest };
}

function keywordsIn(text: string): Readonly<Record<string, unknown>> {
  const lines = text.split('\n').map((line) => line.replace(/^ ?(\S+?): ?/, '$1: '));
  try {
    const read = readPlainYaml(lines.join('\n'));
    return isObject(read) ? Object.fromEntries(Object.entries(read).filter(([keyword]) => known.has(keyword))) : {};
  } catch {
    // A comment that is no YAML says nothing.
    return {};
  }
}

/** Keywords of draft 7 that say something about one value. */
const known: ReadonlySet<string> = new Set(
  `title description type enum const format pattern minLength maxLength examples minimum maximum exclusiveMinimum
  exclusiveMaximum multipleOf minItems maxItems uniqueItems minProperties maxProperties items anyOf oneOf allOf not`.split(
    /\s+/,
  ),
);

/** Each key of the maps in a text, with the line, counted from 0, that it is on. */
function linesOfKeys(text: string): readonly (readonly [name: string, line: number])[] {
  const below = (node: YamlNode, above: string): readonly (readonly [string, number])[] => {
    if (node.kind !== 'mapping') return [];
    return pairsOf(node).flatMap(({ key, keyNode, value }) => {
      const name = above === '' ? key : `${above}.${key}`;
      return [[name, keyNode.line] as const, ...below(value, name)];
    });
  };
  const root = readYamlNode(text);
  return root === undefined ? [] : below(withoutAlias(root), '');
}
