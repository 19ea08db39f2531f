/** The names of a declaration; a malformed one has a `mistake` and no names. */
export interface NameList {
  readonly names: readonly string[];
  readonly mistake?: NameListMistake | undefined;
}

/** Why a text is not a list of names; `item` is a text in it that is not a name. */
export interface NameListMistake {
  readonly text: string;
  readonly why: 'map' | 'not-json' | 'not-a-list' | 'not-a-name';
  readonly item?: string | undefined;
}

/**
 * The names in a declaration: a JSON array as text (`["a", "b"]`), a comma list (`a, b`), one name, or a YAML list.
 * Each name once, in its order. Anything else is malformed, and never taken for a name (docs/ordering.md, 3).
 */
export function readNameList(value: unknown): NameList {
  if (value === undefined || value === null) return noNames;
  if (typeof value === 'string' && plainName.test(value)) return { names: [value] };
  if (Array.isArray(value)) return listOf(value, JSON.stringify(value));
  if (typeof value === 'object') return malformed(JSON.stringify(value), 'map');
  return listInText(String(value));
}

/** The names alone: none where they are malformed. */
export const readNames = (value: unknown): readonly string[] => readNameList(value).names;

const noNames: NameList = { names: [] };

/** One name and nothing else, as most declarations have it. */
const plainName = /^[\w.-]+$/;

/** What is in no name: it is left of JSON that went wrong, of YAML inside a text, of a template. */
const inNoName = /[[\]{}"\n]|^'|'$|^- |: /;

const malformed = (text: string, why: NameListMistake['why'], item?: string): NameList => ({
  names: [],
  mistake: { text, why, item },
});

function listInText(text: string): NameList {
  if (!/^\s*[[{"]|[\]}"]\s*$/.test(text)) return listOf(text.split(','), text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // It begins as JSON does.
    return malformed(text, 'not-json');
  }
  return Array.isArray(value) ? listOf(value, text) : malformed(text, 'not-a-list');
}

function listOf(items: readonly unknown[], text: string): NameList {
  if (items.some((item) => item === null || typeof item === 'object')) return malformed(text, 'not-a-name');
  const names = items.map((item) => String(item).trim()).filter((name) => name !== '');
  const wrong = names.find((name) => inNoName.test(name));
  return wrong === undefined ? { names: [...new Set(names)] } : malformed(text, 'not-a-name', wrong);
}
