import { placeOfKeys } from '../yaml/index.ts';

/**
 * The line of a YAML document, counted from 1, at which a path leads to a value: that of its key, of an item that of its
 * dash. As far as the path is found.
 */
export const lineOfPath = (text: string, path: readonly (string | number)[]): number =>
  placeOfKeys(text, path.map(String))?.line ?? firstContent(text);

const firstContent = (text: string): number =>
  Math.max(1, text.split('\n').findIndex((line) => /^\s*[^\s#]/.test(line)) + 1);
