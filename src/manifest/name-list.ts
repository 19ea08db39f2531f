/** The names of a declaration; what is malformed has none, and `mistake` says what is wrong with it. */
export interface NameList {
  readonly names: readonly string[];
  readonly mistake?: string | undefined;
}

/**
 * The names in a declaration: a JSON array as text (`["a", "b"]`), a comma list (`a, b`), one name, or a YAML list.
 * Each name once, in its order. Anything else is malformed, and never taken for a name (docs/ordering.md, 3).
 */
export function readNameList(value: unknown): NameList {
  if (value === undefined || value === null) return noNames;
  if (typeof value === 'string' && plainName.test(value)) return { names: [value] };
  if (Array.isArray(value)) return listOf(value, JSON.stringify(value));
  if (typeof value === 'object') return malformed(JSON.stringify(value), 'is a map, not a list of names');
  return listInText(String(value));
}

/** The names alone: none where they are malformed. */
export const readNames = (value: unknown): readonly string[] => readNameList(value).names;

const noNames: NameList = { names: [] };

/** One name and nothing else, as most declarations have it. */
const plainName = /^[\w.-]+$/;

/** What is in no name: it is left of JSON that went wrong, of YAML inside a text, of a template. */
const inNoName = /[[\]{}"\n]|^'|'$|^- |: /;

const malformed = (text: string, problem: string): NameList => ({ names: [], mistake: `${text} ${problem}` });

function listInText(text: string): NameList {
  if (!/^\s*[[{"]|[\]}"]\s*$/.test(text)) return listOf(text.split(','), text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It begins as JSON does.
    return malformed(text, 'looks like JSON but is not valid JSON; write ["a", "b"] or a, b');
  }
  return Array.isArray(value)
    ? listOf(value, text)
    : malformed(text, 'is not a list of names; write ["a", "b"] or a, b');
}

function listOf(items: readonly unknown[], text: string): NameList {
  if (items.some((item) => item === null || typeof item === 'object'))
    return malformed(text, 'contains something that is not a name; write ["a", "b"] or a, b');
  const names = items.map((item) => String(item).trim()).filter((name) => name !== '');
  const wrong = names.find((name) => inNoName.test(name));
  if (wrong !== undefined)
    return malformed(text, `contains ${JSON.stringify(wrong)}, which is not a name; write ["a", "b"] or a, b`);
  return { names: [...new Set(names)] };
}
