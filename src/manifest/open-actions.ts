import { indentOf, isListItem } from '../support/text.ts';

const action = /\{\{-?\s*(?:\/\*[^]*?\*\/|(if|range|with|define|block|else|end)\b[^]*?)\s*-?\}\}/g;

/** An action that begins, divides or ends a block. */
export interface BlockAction {
  /** From 1. */
  readonly line: number;
  /** `if`, `range`, …, `else`, `end` */
  readonly word: string;
  /** How deep its line is; undefined where the line has other text before it. */
  readonly column: number | undefined;
  /** As it is written. */
  readonly text: string;
}

/** The block actions of a template, comments left out. */
export function blockActions(template: string): readonly BlockAction[] {
  const lines = template.split('\n');
  const found: BlockAction[] = [];
  let line = 1;
  let counted = 0;
  for (const { 0: text, 1: word, index } of template.matchAll(action)) {
    for (let at = template.indexOf('\n', counted); at >= 0 && at < index; at = template.indexOf('\n', at + 1)) {
      line += 1;
      counted = at + 1;
    }
    const own = lines[line - 1] as string;
    const isFirst = template.lastIndexOf('\n', index) + 1 + indentOf(own) === index;
    if (word !== undefined) found.push({ line, word, column: isFirst ? indentOf(own) : undefined, text });
  }
  return found;
}

/** The actions of a template that no `end` closes, the innermost first. */
export const openActions = (template: string): readonly BlockAction[] => matched(blockActions(template)).open;

/**
 * The block whose `end` is missing, where it is a single one. An `end` closes the innermost block, so the parser blames an
 * outer one: the block at fault is the one without which most others begin and end at the same depth.
 */
export function unclosedAction(template: string): BlockAction | undefined {
  const actions = blockActions(template);
  const { open } = matched(actions);
  const [outermost] = open;
  if (outermost === undefined || open.length > 1) return undefined;
  // What stands before it is balanced.
  const rest = actions.slice(actions.indexOf(outermost));
  const tried = rest.filter(({ word, column }) => isOpener(word) && column !== undefined);
  return bestWithout(rest, outermost, tried);
}

/** The `end` that closes nothing, of a template up to the line at which no block is open any more. */
export function strayEnd(template: string, line: number): BlockAction | undefined {
  const actions = blockActions(template).filter((one) => one.line <= line);
  const last = actions.findLast(({ word }) => word === 'end');
  if (last === undefined || matched(actions).strays.length !== 1) return undefined;
  const tried = actions.filter(({ word, column }) => word === 'end' && column !== undefined);
  return bestWithout(actions, last, tried.toReversed());
}

const isOpener = (word: string): boolean => word !== 'end' && word !== 'else';

/** The first of those tried without which the depths fit best; `known` where none is better. */
function bestWithout(actions: readonly BlockAction[], known: BlockAction, tried: readonly BlockAction[]): BlockAction {
  const most = misfits(actions, known);
  if (most === 0 || actions.length * tried.length > mostWork) return known;
  const scored = tried.flatMap((one) => {
    const count = misfits(actions, one);
    return count < most ? [{ one, score: count + (isNestedAtSameDepth(actions, one) ? 0.5 : 0) }] : [];
  });
  const least = Math.min(...scored.map(({ score }) => score));
  return scored.find(({ score }) => score === least)?.one ?? known;
}

const mostWork = 1_000_000;

/** How many ends are at another depth than their beginnings. */
function misfits(actions: readonly BlockAction[], without: BlockAction): number {
  const { pairs } = matched(actions.filter((one) => one !== without));
  return pairs.filter(([{ column }, end]) => column !== undefined && end.column !== undefined && column !== end.column)
    .length;
}

/** Blocks at the same depth are mostly beside each other. */
function isNestedAtSameDepth(actions: readonly BlockAction[], one: BlockAction): boolean {
  const [around] = matched(actions.slice(0, actions.indexOf(one))).open;
  return isOpener(one.word) && around !== undefined && around.column === one.column;
}

/** What begins and ends each block, what is left open, the innermost first, and the ends that close nothing. */
function matched(actions: readonly BlockAction[]) {
  const open: BlockAction[] = [];
  const pairs: (readonly [BlockAction, BlockAction])[] = [];
  const strays: BlockAction[] = [];
  for (const one of actions) {
    if (one.word === 'end') {
      const opener = open.pop();
      if (opener === undefined) strays.push(one);
      else pairs.push([opener, one]);
    } else if (isOpener(one.word)) open.push(one);
  }
  return { open: open.reverse(), pairs, strays };
}

/**
 * The last line that belongs to a block without its `end`: its first text and what is deeper, up to an action that is no
 * deeper than the block. Undefined where the lines do not say it.
 */
export function lastLineOf(template: string, { line, word, column }: BlockAction): number | undefined {
  const lines = template.replace(comment, (text) => text.replace(/[^\n]/g, ' ')).split(/\r?\n/);
  const lastOf = (until: number): number => lines.findLastIndex((one, index) => index < until && one.trim() !== '') + 1;
  if (word === 'define') return lastOf(lines.length);
  if (column === undefined) return undefined;
  const actions = blockActions(template).filter((one) => one.line > line);
  const below = new BlockLines(column, actions);
  for (let at = line + 1; at <= lines.length; at++) {
    const text = lines[at - 1] as string;
    if (text.trim() === '') continue;
    if (below.isEmpty && /^(?:apiVersion|kind|metadata|---)/.test(text)) {
      // Around a whole document, where any block of the same depth may be the one without its end.
      const isAlone = !actions.some((one) => isOpener(one.word) && one.column === column);
      return isAlone ? lastOf(lines.length) : undefined;
    }
    if (!below.has(at, text)) return lastOf(at - 1);
  }
  return lastOf(lines.length);
}

const comment = /\{\{-?\s*\/\*[^]*?\*\/\s*-?\}\}/g;

/** The lines below the beginning of a block, one after the other, as far as they belong to it. */
class BlockLines {
  readonly #column: number;
  readonly #actions: readonly BlockAction[];
  /** How many blocks inside it are open. */
  #inner = 0;
  /** How deep its first text is. */
  #depth: number | undefined;
  /** Its first text is a key whose value is on the lines below. */
  #isKey = false;

  constructor(column: number, actions: readonly BlockAction[]) {
    this.#column = column;
    this.#actions = actions;
  }

  get isEmpty(): boolean {
    return this.#depth === undefined;
  }

  /** Whether the next line belongs to it. */
  has(line: number, text: string): boolean {
    const actions = this.#actions.filter((one) => one.line === line);
    if (this.#inner === 0 && !this.#begins(actions[0], text)) return false;
    for (const { word } of actions) this.#inner += word === 'end' ? -1 : isOpener(word) ? 1 : 0;
    return this.#inner >= 0;
  }

  /** The same of a line outside of the blocks in it. */
  #begins(action: BlockAction | undefined, text: string): boolean {
    if (action?.column === undefined) return this.#hasText(text);
    if (action.word === 'end') return false;
    if (action.word === 'else') {
      this.#depth = undefined;
      return action.column === this.#column;
    }
    if (action.column <= this.#column && !this.isEmpty) return false;
    this.#depth ??= this.#column;
    return true;
  }

  #hasText(text: string): boolean {
    if (/^\s*\{\{-?\s*\$\w+\s*:?=/.test(text)) return true;
    if (/^\s*\{\{.*\}\}\s*$/.test(text)) {
      this.#depth ??= this.#column;
      return true;
    }
    const depth = indentOf(text);
    const isItem = isListItem(text);
    if (this.#depth === undefined) {
      this.#depth = depth;
      this.#isKey = !isItem && /:\s*$/.test(text);
      return true;
    }
    // The items of a list may be as deep as its key.
    return depth > this.#depth || (depth === this.#depth && isItem && this.#isKey);
  }
}
