import { jsonSyntaxFault } from '../go/json/syntax.ts';
import { decodeText, encodeText } from '../go/text.ts';
import type { SourcePlace } from '../support/errors.ts';
import { nearest } from '../support/near.ts';
import { jsonMembers, openBracket, unquoted } from './json-members.ts';
import { schemaProblems } from './schema-problems.ts';

/** What is wrong with a values.schema.json itself, and the way out. */
export interface SchemaMistake {
  /** Without a line where only the file is known. */
  readonly place: Pick<SourcePlace, 'file' | 'text'> & Partial<Pick<SourcePlace, 'line' | 'column'>>;
  readonly text: string;
  readonly fix?: string | undefined;
}

/** A values.schema.json: `shop/charts/db/values.schema.json`. */
interface SchemaFile {
  readonly file: string;
  readonly schema: Uint8Array;
}

/** The mistakes of a schema that cannot be used; `words` are the validator's (schema/validate.ts). */
export function schemaMistakes({ file, schema }: SchemaFile, words: string): readonly SchemaMistake[] {
  const text = decodeText(schema);
  const found = syntaxMistake(text) ?? metaschemaMistakes(text, words) ?? referenceMistake(text, words);
  const mistakes = [found ?? { text: words.trim() }].flat();
  return mistakes.map(({ at, ...told }) => ({
    ...told,
    place: { file, text, ...(at !== undefined && placeAt(text, at)) },
  }));
}

interface Mistake {
  /** The index of the text at which it stands. */
  readonly at?: number | undefined;
  readonly text: string;
  readonly fix?: string | undefined;
}

function placeAt(text: string, at: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

const noJson = 'the schema is no JSON';

/** What encoding/json does not understand, and what was mostly done. */
function syntaxMistake(text: string): Mistake | undefined {
  const fault = jsonSyntaxFault(text);
  if (fault === undefined) return undefined;
  const { message, offset } = fault;
  if (text.trim() === '') return { at: 0, text: 'the schema is empty', fix: 'write {} or remove the file' };
  if (offset === undefined) return endedMistake(text);
  const at = decodeText(encodeText(text).slice(0, offset - 1)).length;
  const wrong = text[at] ?? '';
  const before = text.slice(0, at).trimEnd().length - 1;
  if (text[before] === ',' && /[}\]]/.test(wrong))
    return {
      at: before,
      text: `${noJson}: nothing follows this comma but ${wrong}`,
      fix: 'remove the comma',
    };
  if (wrong === '/' || wrong === '#')
    return { at, text: `${noJson}: a comment stands here`, fix: 'remove it, or write it as "$comment"' };
  if (wrong === "'") return { at, text: `${noJson}: texts stand in double quotes`, fix: 'write " instead of \'' };
  const [, meaning] = syntaxMeanings.find(([words]) => message.endsWith(words)) ?? [];
  const { isBefore = false, ...told } = meaning ?? { text: message };
  return { ...told, at: isBefore ? before : at, text: `${noJson}: ${told.text}` };
}

/** A mistake that shows itself in the next token stands at the end of what is before it. */
const syntaxMeanings: readonly (readonly [string, Mistake & { readonly isBefore?: boolean }])[] = [
  [
    'after object key:value pair',
    { text: 'what follows this is no , and no }', fix: 'write a comma after it', isBefore: true },
  ],
  [
    'after array element',
    { text: 'what follows this is no , and no ]', fix: 'write a comma after it', isBefore: true },
  ],
  ['after object key', { text: 'no : follows this key', fix: 'write a colon after it', isBefore: true }],
  ['looking for beginning of object key string', { text: 'a key stands in double quotes', fix: 'put it in quotes' }],
  ['in string literal', { text: 'this line ends within a text', fix: 'close the text with "' }],
  [
    'after top-level value',
    { text: 'it has ended before this', fix: 'remove what follows, or the bracket that is too many before it' },
  ],
];

function endedMistake(text: string): Mistake {
  const at = openBracket(text) ?? text.trimEnd().length - 1;
  const closing = text[at] === '[' ? ']' : '}';
  return /[{[]/.test(text[at] ?? '')
    ? { at, text: `${noJson}: the ${text[at]} here is never closed`, fix: `add the missing ${closing}` }
    : { at, text: `${noJson}: it ends too soon` };
}

/** Keywords that JSON Schema does not have in this way, each once. */
function metaschemaMistakes(text: string, words: string): readonly Mistake[] | undefined {
  const own = /^"file:\/\/\/values\.schema\.json#([^"]*)" is not valid against metaschema/.exec(words);
  if (own === null) return undefined;
  const above = (own[1] ?? '').split('/').slice(1);
  const leaves = schemaProblems(words).filter(({ reason }) => !/^'\w+' failed\b/.test(reason));
  const members = jsonMembers(text);
  // Of several reasons the first one counts: it names what is allowed.
  const reasons = new Map(leaves.map(({ keys, reason }) => [[...above, ...keys].join('/'), reason] as const).reverse());
  const mistakes = [...reasons].map(([name, reason]) => {
    const path = name === '' ? [] : name.split('/');
    const member = members.findLast((one) => one.path.join('/') === name);
    return { ...keywordMistake(path, reason, member?.scalar), at: member?.at ?? 0 };
  });
  return mistakes.sort((a, b) => a.at - b.at);
}

function keywordMistake(path: readonly string[], reason: string, scalar: string | undefined): Mistake {
  const name = path.length === 0 ? 'the schema' : path.join('.');
  const types = /^value must be one of (.*)$/.exec(reason)?.[1];
  const [, got, want] = /^got (.+), want (.+)$/.exec(reason) ?? [];
  if (types !== undefined && scalar !== undefined) {
    const known = [...types.matchAll(/'(\w+)'/g)].map(([, type = '']) => type);
    const word = unquoted(scalar);
    const meant = usualTypes[word.toLowerCase()] ?? nearest(word, known);
    const fix = meant === undefined ? `write one of ${known.join(', ')}` : `write "${meant}"`;
    return { text: `${name} is ${scalar}, which JSON Schema does not know`, fix };
  }
  if (got === undefined || want === undefined) return { text: `${name}: ${reason}` };
  const isOfProperty = path.at(-1) === 'required' && got === 'boolean' && path.at(-3) === 'properties';
  return {
    text: `${name} is ${withArticle(got)} but must be ${withArticle(want)}`,
    ...(isOfProperty && { fix: `beside "properties" write "required": ["${path.at(-2)}"]` }),
  };
}

/** Names of types in other languages. */
const usualTypes: Readonly<Record<string, string>> = {
  int: 'integer',
  bool: 'boolean',
  str: 'string',
  text: 'string',
  float: 'number',
  double: 'number',
  list: 'array',
  map: 'object',
  dict: 'object',
};

const withArticle = (types: string): string =>
  types
    .split(' or ')
    .map((type) => (type === 'null' ? type : `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`))
    .join(' or ');

const ownUrl = 'file:///values.schema.json';

/** A $ref, or a $schema, to what is not there. */
function referenceMistake(text: string, words: string): Mistake | undefined {
  const [, missing] = /^(?:json-pointer|anchor) in "([^"]+)" not found/.exec(words) ?? [];
  const [, unloaded] = /^failing loading "([^"]+)": /.exec(words) ?? [];
  const url = missing ?? unloaded;
  if (url === undefined) return undefined;
  const members = jsonMembers(text);
  const reference = members.find(
    ({ path, scalar = '' }) => references.has(path.at(-1) ?? '') && leadsTo(unquoted(scalar), url),
  );
  if (reference === undefined) return undefined;
  const { at, scalar = '', path } = reference;
  if (missing !== undefined)
    return { at, text: `${path.join('.')} is ${scalar}, and nothing is there`, fix: meantDefinition(members, missing) };
  if (path.at(-1) === '$schema')
    return {
      at,
      text: `$schema is ${scalar}, which cannot be fetched`,
      fix: 'write "https://json-schema.org/draft/2020-12/schema"',
    };
  const isFile = url.startsWith('file:');
  return {
    at,
    text: isFile
      ? `${path.join('.')} is ${scalar}: other files of the chart are not looked for, only ${url.slice('file://'.length)} on this machine`
      : `${path.join('.')} is ${scalar}, which cannot be fetched`,
    fix: isFile
      ? 'copy what it refers to into "$defs" of this file, and refer to it by "#/$defs/NAME"'
      : 'correct the URL, or copy what it refers to into "$defs" of this file',
  };
}

const references: ReadonlySet<string> = new Set(['$ref', '$dynamicRef', '$recursiveRef', '$schema']);

function leadsTo(reference: string, url: string): boolean {
  const isOwn = reference.startsWith('#') && url.endsWith(reference);
  return isOwn || absolute(reference) === decoded(url) || absolute(reference).split('#')[0] === decoded(url);
}

const absolute = (reference: string): string =>
  URL.canParse(reference, ownUrl) ? decoded(new URL(reference, ownUrl).href) : reference;

function decoded(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch {
    // A percent sign that begins no escape.
    return url;
  }
}

/** A definition of nearly that name, or of that name elsewhere. */
function meantDefinition(members: ReturnType<typeof jsonMembers>, url: string): string {
  const wanted = decoded(url.split('#')[1] ?? '')
    .split('/')
    .slice(1);
  const name = wanted.at(-1) ?? '';
  const holder = wanted.slice(0, -1).join('/');
  const definitions = members.filter(
    ({ path }) =>
      path.slice(0, -1).join('/') === holder || (path.length === 2 && /^(?:\$defs|definitions)$/.test(path[0] ?? '')),
  );
  const names = definitions.map(({ path }) => path.at(-1) ?? '');
  const meant = names.includes(name) ? name : nearest(name, names);
  const path = definitions.find((one) => one.path.at(-1) === meant)?.path;
  if (path !== undefined) return `write "#/${path.join('/')}"`;
  return wanted.length === 0 ? 'correct it' : `correct it, or add "${name}" to "${wanted.slice(0, -1).join('/')}"`;
}
