import { createColors } from 'picocolors';

/** Colours that are always on: whether to use them is decided where they are asked for. */
export const colors = createColors(true);

/** Red stays for what is wrong. */
const podColors = [colors.cyan, colors.yellow, colors.magenta, colors.blue, colors.green];

/** A text in the colour of a pod, which is the same in every run. */
export function podPaint(name: string, text: string): string {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return (podColors[hash % podColors.length] ?? colors.cyan)(text);
}
