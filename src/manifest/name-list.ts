/**
 * The names in a declaration: a JSON array as text (`["a", "b"]`), a comma list (`a, b`), one name, or a YAML list.
 * Each name once, in its order.
 */
export function readNames(value: unknown): readonly string[] {
  if (value === undefined || value === null) return [];
  if (typeof value === 'string' && plainName.test(value)) return [value];
  const names = namesIn(value).map((name) => name.trim());
  return [...new Set(names)].filter((name) => name !== '');
}

/** One name and nothing else, as most declarations have it. */
const plainName = /^[\w.-]+$/;

/** What is no name is shown as it stands, where somebody looks it up in vain. */
const textOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);

function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map(textOf);
  const text = textOf(value);
  return jsonNames(text) ?? text.split(',');
}

function jsonNames(text: string): readonly string[] | undefined {
  if (!text.trimStart().startsWith('[')) return undefined;
  try {
    return (JSON.parse(text) as unknown[]).map(textOf);
  } catch {
    // Not JSON after all: the text is a comma list, and whoever looks the names up will miss them.
    return undefined;
  }
}
