import { jsonSyntaxFault } from '../go/json/syntax.ts';
import { decodeText, encodeText } from '../go/text.ts';
import type { ChartFact, JsonMistake } from '../problem/chart-fact.ts';
import { metaschemaPath, missingReference, schemaFindings } from '../problem/foreign/json-schema.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import { nearest } from '../support/near.ts';
import { jsonMembers, openBracket, unquoted } from './json-members.ts';

/** A values.schema.json: `shop/charts/db/values.schema.json`. */
interface SchemaFile {
  readonly file: string;
  readonly schema: Uint8Array;
}

/** What is wrong with a schema that cannot be used; `words` are the validator's (schema/validate.ts). */
export function brokenSchema({ file, schema }: SchemaFile, words: string): readonly Problem[] {
  const text = decodeText(schema);
  const found = syntaxMistake(text) ?? keywordMistakes(text, words) ?? referenceMistake(text, words);
  const mistakes = [found ?? { cause: { code: 'schema-invalid' as const, words: new Quote(words.trim()) } }].flat();
  return mistakes.map(({ at, cause, to }) => {
    const place = { kind: 'file' as const, file, ...(at !== undefined && placeAt(text, at)) };
    const from = 'value' in cause ? cause.value : undefined;
    const isKnown = from !== undefined && to !== undefined && place.line !== undefined;
    return problemOf({
      subject: { kind: 'file', file },
      cause,
      places: [place],
      remedies: [
        ...(isKnown ? [{ kind: 'change-text' as const, file, line: place.line as number, from, to }] : []),
        { kind: 'set-option', option: 'skipSchemaValidation' },
      ],
    });
  });
}

interface Mistake {
  /** The index of the text at which it is. */
  readonly at?: number | undefined;
  readonly cause: Extract<ChartFact, { code: `schema-${string}` }>;
  /** What should be written in place of its value. */
  readonly to?: string | undefined;
}

function placeAt(text: string, at: number): { readonly line?: number; readonly column?: number } {
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

/** What encoding/json does not understand, and what was mostly done. */
function syntaxMistake(text: string): Mistake | undefined {
  const fault = jsonSyntaxFault(text);
  if (fault === undefined) return undefined;
  const { message, offset } = fault;
  const words = new Quote(message);
  const mistake = (at: number, what?: JsonMistake): Mistake => ({
    at,
    cause: { code: 'schema-not-json', mistake: what, words },
  });
  if (text.trim() === '') return mistake(0, 'empty');
  if (offset === undefined) {
    const open = openBracket(text);
    return open === undefined ? mistake(text.trimEnd().length - 1) : mistake(open, 'bracket-open');
  }
  const at = decodeText(encodeText(text).slice(0, offset - 1)).length;
  const wrong = text[at] ?? '';
  const before = text.slice(0, at).trimEnd().length - 1;
  if (text[before] === ',' && (wrong === '}' || wrong === ']')) return mistake(before, 'trailing-comma');
  if (wrong === '/' || wrong === '#') return mistake(at, 'comment');
  if (wrong === "'") return mistake(at, 'single-quote');
  const [, what] = syntaxMistakes.find(([said]) => message.endsWith(said)) ?? [];
  // A mistake that shows itself in the next token is at the end of what is before it.
  return mistake(what?.endsWith('-missing') ? before : at, what);
}

const syntaxMistakes: readonly (readonly [string, JsonMistake])[] = [
  ['after object key:value pair', 'comma-missing'],
  ['after array element', 'comma-missing'],
  ['after object key', 'colon-missing'],
  ['looking for beginning of object key string', 'key-not-quoted'],
  ['in string literal', 'text-open'],
  ['after top-level value', 'text-after-end'],
];

/** Keywords that JSON Schema does not have in this way, each once. */
function keywordMistakes(text: string, words: string): readonly Mistake[] | undefined {
  const above = metaschemaPath(words);
  if (above === undefined) return undefined;
  const leaves = schemaFindings(words).filter(({ isSummary }) => isSummary !== true);
  const members = jsonMembers(text);
  // Of several reasons the first one counts: it names what is allowed.
  const reasons = new Map(leaves.map((leaf) => [[...above, ...leaf.keys].join('/'), leaf] as const).reverse());
  const mistakes = [...reasons].map(([name, { reason, choice }]): Mistake & { readonly at: number } => {
    const path = name === '' ? [] : name.split('/');
    const { at = 0, scalar: value } = members.findLast((one) => one.path.join('/') === name) ?? {};
    const word = unquoted(value ?? '');
    const meant = choice && (usualTypes[word.toLowerCase()] ?? nearest(word, choice));
    const cause = { code: 'schema-keyword', path, value, words: new Quote(reason) } as const;
    return { at, cause, to: meant && JSON.stringify(meant) };
  });
  return mistakes.sort((a, b) => a.at - b.at);
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

const ownUrl = 'file:///values.schema.json';

/** A $ref, or a $schema, to what is not there. */
function referenceMistake(text: string, words: string): Mistake | undefined {
  const missing = missingReference(words);
  if (missing === undefined) return undefined;
  const { url, isLoaded } = missing;
  const members = jsonMembers(text);
  const reference = members.find(
    ({ path, scalar = '' }) => references.has(path.at(-1) ?? '') && leadsTo(unquoted(scalar), url),
  );
  if (reference === undefined) return undefined;
  const { at, scalar: value = '', path } = reference;
  const why = isLoaded ? 'not-found' : url.startsWith('file:') ? 'other-file' : 'not-fetched';
  const latest = path.at(-1) === '$schema' ? '"https://json-schema.org/draft/2020-12/schema"' : undefined;
  const to = isLoaded ? suggestedDefinition(members, url) : latest;
  return { at, cause: { code: 'schema-reference', path, value, why }, to };
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
function suggestedDefinition(members: ReturnType<typeof jsonMembers>, url: string): string | undefined {
  const wanted = decoded(url.split('#')[1] ?? '')
    .split('/')
    .slice(1);
  const name = wanted.at(-1) ?? '';
  const holder = wanted.slice(0, -1).join('/');
  const definitions = members.filter(
    ({ path }) =>
      path.slice(0, -1).join('/') === holder || (path.length === 2 && ['$defs', 'definitions'].includes(path[0] ?? '')),
  );
  const names = definitions.map(({ path }) => path.at(-1) ?? '');
  const meant = names.includes(name) ? name : nearest(name, names);
  const path = definitions.find((one) => one.path.at(-1) === meant)?.path;
  return path && JSON.stringify(`#/${path.join('/')}`);
}
