/** Text as it may appear in HTML, between tags and in quoted attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"'\0]/g, (character) => entities[character] as string);

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\0': '\ufffd',
};

/** Text no longer than `length` characters, its end replaced by an ellipsis. */
export function shortened(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
}

/** The first of some texts, and how many are left out. */
export const firstOf = (texts: readonly string[], count: number): readonly string[] =>
  texts.length <= count + 1 ? texts : [...texts.slice(0, count), `and ${texts.length - count} more`];
