import { GoError, type Value } from '../../go/value.ts';
import { PathCursor } from './cursor.ts';
import { readFilter } from './filter.ts';
import { allChildren, childrenNamed, everyNode, filtered, follow, keysNamed, type Step } from './steps.ts';
import { readSubscript } from './subscript.ts';

/** A path that was read: what it finds in a document, in the document's order. */
export type Path = (document: Value) => readonly Value[];

const known = new Map<string, Path>();
const mostKnown = 2000;

/**
 * Reads a path as helm-unittest does, which takes the dialect of yaml-jsonpath: `spec.containers[0].image`,
 * `metadata.annotations["a.b/c"]`, `..image`, `items[?(@.name == 'x')].value`, `data~`. Throws GoError.
 */
export function readPath(text: string): Path {
  const found = known.get(text);
  if (found !== undefined) return found;
  const steps = new PathReader(new PathCursor(text)).whole();
  const path: Path = (document) => follow(steps, document, document);
  if (known.size >= mostKnown) known.clear();
  known.set(text, path);
  return path;
}

/** Where a name ends that is without quotes. */
const endsOfName = '.[) &|=!><~';

class PathReader {
  private readonly cursor: PathCursor;
  private readonly isInFilter: boolean;

  constructor(cursor: PathCursor, isInFilter = false) {
    this.cursor = cursor;
    this.isInFilter = isInFilter;
  }

  whole(): Step[] {
    const { cursor } = this;
    if (cursor.isAtEnd) return [];
    const isRooted = cursor.take('$');
    const first = isRooted || /^[.[)]/.test(cursor.next) ? [] : this.named(cursor.takeUntil(`${endsOfName}]`));
    return [...first, ...this.steps()];
  }

  /** The steps up to the end of the path, or of its place in a filter. */
  steps(): Step[] {
    const { cursor } = this;
    const steps: Step[] = [];
    while (!cursor.isAtEnd) {
      const { next } = cursor;
      if (' &|=!><'.includes(next) || next === ')') {
        if (!this.isInFilter) throw cursor.error(next === ')' ? 'syntax error' : `invalid character '${next}'`);
        break;
      }
      cursor.beginStep();
      steps.push(...this.step());
    }
    return steps;
  }

  private step(): Step[] {
    const { cursor } = this;
    if (cursor.take('..')) return this.descent();
    if (cursor.take('.')) return this.named(cursor.takeUntil(endsOfName));
    if (cursor.take('[?(')) return [filtered(readFilter(cursor, stepsInFilter))];
    if (/^\[\s*['"]/.test(cursor.text.slice(cursor.position, cursor.position + 100))) return this.quotedNames();
    if (cursor.take('[')) return this.subscript();
    throw cursor.error('invalid path syntax');
  }

  private named(name: string): Step[] {
    if (name === '') throw this.cursor.error('child name missing');
    if (this.takeKeySign()) return [keysNamed([unescaped(name)])];
    return [name === '*' ? allChildren : childrenNamed([unescaped(name)])];
  }

  /** `~` asks for the key itself, and ends the path. */
  private takeKeySign(): boolean {
    if (!this.cursor.take('~')) return false;
    if (!this.cursor.isAtEnd) {
      throw this.cursor.error('property name operator may only be used on last child in path');
    }
    return true;
  }

  private descent(): Step[] {
    const { cursor } = this;
    const name = cursor.takeUntil('.[');
    if (name === '' && cursor.take('[?(')) {
      const filter = readFilter(cursor, stepsInFilter);
      return [everyNode, (node, root) => (filter(node, root) ? [node] : [])];
    }
    if (name === '' && cursor.next !== '[') {
      throw cursor.error('child name or array access or filter missing after recursive descent');
    }
    if (name === '') return [everyNode];
    return [everyNode, name === '*' ? allChildren : childrenNamed([unescaped(name)])];
  }

  private quotedNames(): Step[] {
    const { cursor } = this;
    cursor.take('[');
    const names: string[] = [];
    do names.push(this.quotedName());
    while (cursor.takeAfterSpace(','));
    if (!cursor.takeAfterSpace(']')) throw cursor.error('missing "]" or ","');
    return [this.takeKeySign() ? keysNamed(names) : childrenNamed(names)];
  }

  private quotedName(): string {
    const { cursor } = this;
    cursor.skipSpace();
    const mark = cursor.next;
    if (mark !== "'" && mark !== '"') throw cursor.error('missing quote');
    cursor.position += 1;
    const start = cursor.position;
    while (!cursor.startsWith(mark)) {
      if (cursor.isAtEnd) throw cursor.error('unmatched quote');
      if (cursor.take(`\\${mark}`) || cursor.take('\\\\')) continue;
      if (cursor.startsWith('\\')) throw cursor.error('unsupported escape sequence inside quotes');
      cursor.position += 1;
    }
    const name = cursor.text.slice(start, cursor.position);
    cursor.position += 1;
    return unescaped(name);
  }

  private subscript(): Step[] {
    const { cursor } = this;
    const text = cursor.takeUntil(']');
    if (!cursor.take(']')) throw cursor.error('unmatched [');
    if (text === '') throw new GoError(`subscript missing from [] before position ${cursor.position}`);
    const indexes = subscriptOf(text, cursor.position);
    if (this.takeKeySign()) {
      if (text !== '*') throw cursor.error('property name operator can only be used on map nodes');
      return [(node) => (node instanceof Map ? [...node.keys()] : [])];
    }
    return [
      (node) => {
        if (node instanceof Map) return text === '*' ? [...node.values()] : [];
        return Array.isArray(node) ? indexes(node.length).map((index) => node[index]) : [];
      },
    ];
  }
}

const stepsInFilter = (cursor: PathCursor): Step[] => new PathReader(cursor, true).steps();

function subscriptOf(text: string, position: number) {
  try {
    return readSubscript(text);
  } catch (error) {
    const reason = (error as Error).message;
    throw new GoError(`invalid array index [${text}] before position ${position}: ${reason}`, { cause: error });
  }
}

/** A backslash goes; a second one stays. */
const unescaped = (text: string): string => text.replace(/\\(\\?)/g, '$1');
