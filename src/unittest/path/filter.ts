import { compileRegexp } from '../../go/regexp.ts';
import { GoError, GoInt, type Value } from '../../go/value.ts';
import type { PathCursor } from './cursor.ts';
import { follow, type Step } from './steps.ts';

/** Whether an item is chosen by the condition of `[?(…)]`. */
export type Filter = (item: Value, root: Value) => boolean;

/** Reads the path behind `@` or `$`. */
type ReadSteps = (cursor: PathCursor) => readonly Step[];

/** A scalar with what it is compared as; `other` is compared with nothing. */
interface Typed {
  readonly type: 'string' | 'number' | 'boolean' | 'null' | 'pattern' | 'other';
  readonly value: string | number;
}

interface Term {
  /** The term as a condition by itself. */
  readonly holds: Filter;
  readonly values: (item: Value, root: Value) => readonly Typed[];
  readonly kind: 'path' | 'string' | 'number' | 'boolean' | 'null';
}

/** Reads the condition of a filter and the `)]` behind it; the cursor is behind `[?(`. Throws GoError. */
export function readFilter(cursor: PathCursor, readSteps: ReadSteps): Filter {
  cursor.skipSpace();
  if (cursor.startsWith(')]')) throw cursor.error('missing filter');
  const filter = disjunction(cursor, readSteps);
  cursor.skipSpace();
  if (cursor.isAtEnd) throw cursor.error('missing end of filter');
  if (!cursor.take(')]')) throw cursor.error('invalid filter expression');
  return filter;
}

function disjunction(cursor: PathCursor, readSteps: ReadSteps): Filter {
  const parts = [conjunction(cursor, readSteps)];
  while (cursor.takeAfterSpace('||')) parts.push(conjunction(cursor, readSteps));
  return (item, root) => parts.some((part) => part(item, root));
}

function conjunction(cursor: PathCursor, readSteps: ReadSteps): Filter {
  const parts = [condition(cursor, readSteps)];
  while (cursor.takeAfterSpace('&&')) parts.push(condition(cursor, readSteps));
  return (item, root) => parts.every((part) => part(item, root));
}

function condition(cursor: PathCursor, readSteps: ReadSteps): Filter {
  cursor.skipSpace();
  if (cursor.startsWith('!') && !cursor.startsWith('!=')) {
    cursor.take('!');
    const inner = condition(cursor, readSteps);
    return (item, root) => !inner(item, root);
  }
  if (cursor.take('(')) {
    const inner = disjunction(cursor, readSteps);
    if (!cursor.takeAfterSpace(')')) throw cursor.error('missing end of filter');
    return inner;
  }
  return comparison(cursor, readSteps);
}

/** The longer ones first. */
const operators = ['==', '!=', '=~', '>=', '<=', '>', '<'] as const;
type Operator = (typeof operators)[number];

function comparison(cursor: PathCursor, readSteps: ReadSteps): Filter {
  const left = term(cursor, readSteps);
  const operator = operators.find((one) => cursor.takeAfterSpace(one));
  if (operator === undefined) return left.holds;
  if (operator === '=~') {
    if (left.kind === 'string' || left.kind === 'number') throw cursor.error('literal cannot be matched using =~');
    return eachPair(left.values, pattern(cursor), matches);
  }
  const isOrdering = operator !== '==' && operator !== '!=';
  cursor.skipSpace();
  if (isOrdering && (left.kind === 'string' || cursor.startsWith("'"))) {
    throw cursor.error(`strings cannot be compared using ${operator}`);
  }
  return eachPair(left.values, term(cursor, readSteps).values, (a, b) => fits(operator, order(a, b)));
}

/** Every pair of values on both sides must be accepted, and there must be one. */
const eachPair =
  (left: Term['values'], right: Term['values'], accepts: (a: Typed, b: Typed) => boolean): Filter =>
  (item, root) => {
    const [ours, theirs] = [left(item, root), right(item, root)];
    return ours.length * theirs.length > 0 && ours.every((a) => theirs.every((b) => accepts(a, b)));
  };

/** Below 0, 0, or above 0; undefined for what cannot be compared. */
function order(a: Typed, b: Typed): number | undefined {
  if (a.type !== b.type || a.type === 'other' || a.type === 'pattern') return undefined;
  if (a.type === 'boolean') return a.value === b.value ? 0 : undefined;
  return a.value < b.value ? -1 : a.value > b.value ? 1 : 0;
}

function fits(operator: Exclude<Operator, '=~'>, found: number | undefined): boolean {
  switch (operator) {
    case '==':
      return found === 0;
    case '!=':
      return found !== 0;
    case '>':
      return found === 1;
    case '>=':
      return found === 0 || found === 1;
    case '<':
      return found === -1;
    case '<=':
      return found === 0 || found === -1;
  }
}

const matches = (text: Typed, expression: Typed): boolean =>
  text.type === 'string' && compileRegexp(String(expression.value)).matches(String(text.value));

/** `/expression/`, where `\/` is a slash. */
function pattern(cursor: PathCursor): Term['values'] {
  cursor.skipSpace();
  if (!cursor.take('/')) throw cursor.error('regular expression does not start with /');
  const start = cursor.position;
  while (!cursor.startsWith('/')) {
    if (cursor.isAtEnd) throw cursor.error('unmatched regular expression delimiter /');
    cursor.position += cursor.next === '\\' ? 2 : 1;
  }
  const value = cursor.text.slice(start, cursor.position).replaceAll('\\/', '/');
  cursor.position += 1;
  compileRegexp(value);
  return () => [{ type: 'pattern', value }];
}

function term(cursor: PathCursor, readSteps: ReadSteps): Term {
  cursor.skipSpace();
  const start = cursor.next;
  if (start === '@' || start === '$') {
    cursor.position += 1;
    return pathTerm(readSteps(cursor), start === '@');
  }
  if (start === "'" || start === '"') return textTerm(cursor, start);
  if (cursor.take('true')) return booleanTerm(true);
  if (cursor.take('false')) return booleanTerm(false);
  if (cursor.take('null')) return literal({ type: 'null', value: '' }, 'null');
  const number = /^[.\-0-9][.\-0-9eE]*/.exec(cursor.text.slice(cursor.position, cursor.position + 40))?.[0];
  if (number === undefined || !Number.isFinite(Number(number))) throw cursor.error('invalid filter term');
  cursor.position += number.length;
  return literal({ type: 'number', value: Number(number) }, 'number');
}

function textTerm(cursor: PathCursor, mark: string): Term {
  cursor.position += 1;
  const value = cursor.takeUntil(mark);
  if (!cursor.take(mark)) throw new GoError(`unmatched string delimiter ${mark} at position ${cursor.position}`);
  return literal({ type: 'string', value }, 'string');
}

const booleanTerm = (value: boolean): Term => ({
  ...literal({ type: 'boolean', value: String(value) }, 'boolean'),
  holds: () => value,
});

const literal = (typed: Typed, kind: Term['kind']): Term => ({ kind, holds: () => false, values: () => [typed] });

function pathTerm(steps: readonly Step[], isRelative: boolean): Term {
  const found = (item: Value, root: Value) => follow(steps, isRelative ? item : root, root);
  return {
    kind: 'path',
    holds: (item, root) => found(item, root).length > 0,
    values: (item, root) => found(item, root).map(typed),
  };
}

function typed(value: Value): Typed {
  if (value === null || value === undefined) return { type: 'null', value: '' };
  if (typeof value === 'string') return { type: 'string', value };
  if (typeof value === 'number') return { type: 'number', value };
  if (typeof value === 'boolean') return { type: 'boolean', value: String(value) };
  if (value instanceof GoInt) return { type: 'number', value: Number(value.value) };
  return { type: 'other', value: '' };
}
