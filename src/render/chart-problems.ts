import { valueIn } from '../chart/tables.ts';
import { placeAbove } from '../chart/value-place.ts';
import { goTypeOf, type Value } from '../go/value.ts';
import type { ChartFact } from '../problem/chart-fact.ts';
import type { Place, ValuePlace } from '../problem/place.ts';
import { type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { Remedy } from '../problem/remedy.ts';
import { causesOf, type SourcePlace, type TshelmError } from '../support/errors.ts';
import { type TemplateFact, templateFact } from '../template/error.ts';
import { memberAt } from '../template/origin.ts';
import type { Known, Origin } from '../template/trace.ts';
import type { FailureTrace } from '../template/watch.ts';
import { EndlessInclude, TemplateFailCall } from './engine-functions.ts';
import { withGlobals } from './field-values.ts';
import { meantKeys } from './near-misses.ts';
import type { ReRenderer } from './re-renderer.ts';
import { blockFault } from './unclosed-blocks.ts';
import { type ObjectOrigins, valuePlace } from './value-origins.ts';

type ValueFact =
  | Extract<ChartFact, { code: 'value-missing' | 'value-not-a-map' | 'value-not-a-list' }>
  | (Extract<ChartFact, { code: 'argument-type' }> & { readonly keys: readonly string[] });

/** How a chart was rendered. */
export type Rendering = ObjectOrigins & { readonly again: ReRenderer };

/** Why a template failed, by the engine's word. The value behind it is the one whose field was read: the template runs again for it. */
export function templateProblem(error: TshelmError<'template-error'>, rendering: Rendering): Problem {
  const { file = '', line, place, meant } = error.details;
  const refusal = causesOf(error).findLast((cause) => cause instanceof TemplateFailCall);
  const fact = refusal === undefined ? templateFact(error) : undefined;
  const failure = fact && ofValues.has(fact.kind) ? rendering.again.failure(error) : undefined;
  const value = fact && failure && valueAtFault(fact, failure, rendering.again);
  const given = fact?.kind === 'call-failed' ? failure?.given : undefined;
  const words = new Quote(refusal?.userMessage ?? error.message);
  const endless = causesOf(error).find((each) => each instanceof EndlessInclude);
  const includes = endless && ({ code: 'include-endless', name: endless.template } as const);
  const block = place && blockFault(fact, { ...place, file });
  const cause = value ??
    includes ??
    block?.cause ??
    factIn(fact) ?? { code: refusal === undefined ? 'template-failed' : 'chart-refuses', words };
  const at = line === undefined ? [] : [{ kind: 'template' as const, file, line, column: columnOf(place, value) }];
  const isLed = cause.code !== 'chart-refuses' && cause.code !== 'template-failed';
  return problemOf({
    subject: { kind: 'template', file },
    cause,
    places: [
      ...(value === undefined ? [] : valuePlaces(value, rendering)),
      // Where the parser stumbles is not where a block is to be closed.
      ...(block?.places ?? at),
      ...(value === undefined ? givenPlaces(given, rendering) : nearPlaces(value, rendering)),
    ],
    remedies: [
      ...(block?.remedies ?? []),
      ...(value === undefined ? [] : valueRemedies(value, place, rendering)),
      ...(fact === undefined || place === undefined ? [] : missingDepth(place, fact)),
      ...(meant === undefined || !(fact && 'name' in fact)
        ? []
        : [{ kind: 'use-name', name: meant, instead: fact.name, isGuess: true } as const]),
    ],
    evidence: isLed ? [{ kind: 'message', lines: wordsOf(error, endless).map((text) => new Quote(text)) }] : [],
  });
}

/** The message and, of a template that includes itself, which the message tells a thousand times over, the end of it. */
const wordsOf = (error: Error, endless: Error | undefined): readonly string[] =>
  endless === undefined ? [error.message] : [error.message, endless.message];

function factIn(fact: TemplateFact | undefined): ChartFact | undefined {
  switch (fact?.kind) {
    case 'nil-pointer':
      return fact.owner === '' ? undefined : { code: 'owner-null', owner: fact.owner, field: fact.field };
    case 'no-field':
      return fact.owner === '' ? undefined : { code: 'owner-not-a-map', owner: fact.owner, field: fact.field };
    case 'not-iterable':
      return { code: 'range-over-scalar', text: fact.text };
    case 'unknown-template':
      return { code: 'template-unknown', name: fact.name };
    case 'unknown-function':
      return { code: 'function-unknown', name: fact.name };
    case 'wrong-type':
      return { code: 'argument-type', wanted: fact.wanted, got: fact.got };
    case 'wrong-count': {
      const { count: wanted, isLeast } = fact.wanted;
      return { code: 'argument-count', name: fact.name, given: fact.given, wanted, isLeast };
    }
    case 'unexpected-end':
      return { code: 'action-not-closed' };
    case 'single-brace':
      return { code: 'brace-missing' };
    default:
      return undefined;
  }
}

/** What may be a value's fault: only then is the template run again. */
const ofValues: ReadonlySet<TemplateFact['kind']> = new Set([
  'nil-pointer',
  'no-field',
  'not-iterable',
  'wrong-type',
  'call-failed',
]);

/** The value whose field was read, that was ranged over, or that a function cannot take. */
function valueAtFault(
  fact: TemplateFact,
  { origin, final, given }: FailureTrace,
  again: ReRenderer,
): ValueFact | undefined {
  const keys = keysOf(origin, again);
  switch (fact.kind) {
    case 'nil-pointer':
      return keys && { code: 'value-missing', keys, field: fact.field };
    case 'no-field':
      return keys && { code: 'value-not-a-map', keys, field: fact.field };
    case 'not-iterable':
      return keys && { code: 'value-not-a-list', keys };
    case 'wrong-type': {
      const handedOn = keysOf(final, again);
      const read = String(handedOn) === String(keys) ? [keys] : [keys, handedOn];
      // What was made of a value is another one, and of two either may be at fault.
      const [wrong, another] = read.filter(
        (one) => one !== undefined && isOfType(valueIn(again.values, one), fact.got),
      );
      if (wrong === undefined || another !== undefined) return undefined;
      return { code: 'argument-type', keys: wrong, wanted: fact.wanted, got: fact.got };
    }
    case 'call-failed': {
      const indexed = fact.name === 'index' ? nilIn(given, again.values) : undefined;
      return indexed && { code: 'value-missing', keys: indexed };
    }
    default:
      return undefined;
  }
}

/** The value that was read; undefined where it was none, or all of them. */
function keysOf(origin: Origin, { values }: ReRenderer): readonly string[] | undefined {
  const read = withGlobals(origin, values);
  return read.keys?.length === 0 || read.isKey ? undefined : read.keys;
}

const isOfType = (value: Value, goType: string): boolean =>
  value !== undefined && value !== null && goTypeOf(value) === goType;

/** What `index` found to be nothing, on the way that its arguments lead. */
function nilIn([from, ...indexes]: readonly Known[], values: ReRenderer['values']): readonly string[] | undefined {
  let at = from?.value;
  let keys = from && withGlobals(from.origin, values).keys;
  for (const { value } of indexes) {
    if (at === undefined || at === null) return keys;
    at = memberAt(at, String(value));
    keys = keys && [...keys, String(value)];
  }
  return undefined;
}

/** The values that a function was called with that failed: which of them it cannot take only its words say. */
function givenPlaces(given: FailureTrace['given'] = [], rendering: Rendering): readonly Place[] {
  const read = given.map(({ origin }) => keysOf(origin, rendering.again));
  return read.flatMap((keys) => (keys && valuePlace(keys, rendering)) ?? []);
}

/** The value that a template asks for. */
const wantedKeys = (fact: ValueFact): readonly string[] =>
  fact.code === 'value-missing' && fact.field !== undefined ? [...fact.keys, fact.field] : fact.keys;

/** Where it is set; of one that is missing, where it is set to null, or the nearest map above it. */
function valuePlaces(fact: ValueFact, rendering: Rendering): readonly ValuePlace[] {
  const place = valuePlace(fact.keys, rendering);
  if (fact.code !== 'value-missing') return place === undefined ? [] : [place];
  if (place !== undefined) return [{ ...place, text: 'null' }];
  const above = placeAbove(rendering.chart, wantedKeys(fact));
  return above === undefined ? [] : [{ kind: 'value', ...above }];
}

/** A value of nearly the name of a missing one; what is set to null has the name that it should have. */
const nearKeys = (fact: ValueFact, rendering: Rendering): readonly string[] | undefined =>
  fact.code !== 'value-missing' || valuePlace(fact.keys, rendering) !== undefined
    ? undefined
    : meantKeys(wantedKeys(fact), rendering.again.values);

/** The line with a value of nearly the name of a missing one: the template or that line may be wrong. */
function nearPlaces(fact: ValueFact, rendering: Rendering): readonly Place[] {
  const meant = nearKeys(fact, rendering);
  const { file, line } = (meant && valuePlace(meant, rendering)) ?? {};
  return file === undefined ? [] : [{ kind: 'file', file, line }];
}

/** Of a missing value: the one that was probably meant, or to set it, or to read it so that it may be missing; of one that is no string, that string. */
function valueRemedies(fact: ValueFact, place: SourcePlace | undefined, rendering: Rendering): readonly Remedy[] {
  if (fact.code === 'argument-type') return quoted(fact, rendering);
  if (fact.code !== 'value-missing') return [];
  const keys = wantedKeys(fact);
  const meant = nearKeys(fact, rendering);
  if (meant === undefined)
    return [{ kind: 'set-value', keys }, ...(place === undefined ? [] : lateDefault(place, fact))];
  return [{ kind: 'use-name', name: meant.join('.'), instead: keys.slice(0, meant.length).join('.'), isGuess: true }];
}

/** A number or a boolean as a string. */
function quoted(
  { keys, wanted }: Extract<ValueFact, { code: 'argument-type' }>,
  rendering: Rendering,
): readonly Remedy[] {
  const { text } = wanted === 'string' ? (valuePlace(keys, rendering) ?? {}) : {};
  return text === undefined ? [] : [{ kind: 'set-value', keys, value: text }];
}

/** Go's column is where the whole chain of fields begins: the key at fault is further on. Counted from 1. */
function columnOf(place: SourcePlace | undefined, value: ValueFact | undefined): number | undefined {
  if (place?.column === undefined || value === undefined || !('field' in value)) return place?.column;
  const at = lineOf(place).indexOf(`.${value.keys.at(-1)}.${value.field}`, place.column - 1);
  return at < 0 ? place.column : at + 2;
}

const lineOf = ({ text, line }: SourcePlace): string => text.split('\n')[line - 1] ?? '';

/** Of `indent` without its number: two columns more than the key that the text belongs to. */
function missingDepth({ text, file, line }: SourcePlace, fact: TemplateFact): readonly Remedy[] {
  if (fact.kind !== 'wrong-count' || fact.given !== 1 || !/^n?indent$/.test(fact.name)) return [];
  const keys = text
    .split('\n')
    .slice(0, line)
    .map((one) => /^((?: |- )*)[\w./-]+:/.exec(one)?.[1]);
  const margin = keys.findLast((one) => one !== undefined);
  if (margin === undefined) return [];
  return [{ kind: 'change-text', file, line, from: fact.name, to: `${fact.name} ${margin.length + 2}` }];
}

/** Where `default` follows a value that fails before `default` is called: the same in brackets does not fail. */
function lateDefault(place: SourcePlace, fact: ValueFact): readonly Remedy[] {
  if (fact.code !== 'value-missing' || fact.field === undefined) return [];
  const source = `(\\$?\\.Values\\.(?:[\\w.]*\\.)?${fact.keys.at(-1)})\\.${fact.field}\\b`;
  const written = lineOf(place);
  const found =
    new RegExp(`${source}[^}]*\\|\\s*default\\b`).exec(written) ??
    new RegExp(`\\bdefault\\s+(?:"[^"]*"|\\S+)\\s+\\(?${source}`).exec(written);
  const owner = found?.[1];
  if (owner === undefined) return [];
  const { file, line } = place;
  return [{ kind: 'change-text', file, line, from: `${owner}.${fact.field}`, to: `(${owner}).${fact.field}` }];
}
