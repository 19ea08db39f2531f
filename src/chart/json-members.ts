import { ifReadable } from '../go/if-readable.ts';
/** A key of an object, or an item of a list, in a JSON text. */
export interface JsonMember {
  /** Keys and indexes from the outermost value to it. */
  readonly path: readonly string[];
  /** Where it is written: the index of the key, or of the item. */
  readonly at: number;
  /** Of a text, number, boolean or null: as it is written. */
  readonly scalar?: string | undefined;
}

/** The members of a JSON text, in its order; of one that is no JSON those that can be told. */
export function jsonMembers(text: string): readonly JsonMember[] {
  const members: JsonMember[] = [];
  const open: Open[] = [];
  const add = (at: number, scalar?: string): readonly string[] => {
    const top = open.at(-1);
    if (top === undefined) return [];
    const path = [...top.path, top.isList ? String(top.index) : (top.key ?? '')];
    members.push({ path, at: top.isList ? at : top.keyAt, scalar });
    return path;
  };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const top = open.at(-1);
    if (token === '{' || token === '[') open.push({ isList: token === '[', path: add(index), ...first });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',' && top !== undefined) Object.assign(top, { index: top.index + 1, key: undefined });
    else if (token === ':' || token === ',') continue;
    else if (top !== undefined && !top.isList && top.key === undefined)
      Object.assign(top, { key: unquoted(token), keyAt: index });
    else add(index, token);
  }
  return members;
}

/** Where the innermost bracket is that a text opens and does not close. */
export function openBracket(text: string): number | undefined {
  const open: number[] = [];
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token === '{' || token === '[') open.push(index);
    else if (token === '}' || token === ']') open.pop();
  }
  return open.at(-1);
}

/** An object or a list that is not at its end yet. */
interface Open {
  readonly isList: boolean;
  readonly path: readonly string[];
  index: number;
  key: string | undefined;
  keyAt: number;
}

const first = { index: 0, key: undefined, keyAt: 0 };

const tokens = /"(?:[^"\\]|\\[^])*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/** What a scalar of a JSON text says, where it is a text. */
export const unquoted = (scalar: string): string => ifReadable(() => String(JSON.parse(scalar))) ?? scalar;
