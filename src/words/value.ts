import { pathText } from '../manifest/field-path.ts';
import { isDigits } from '../support/text.ts';

/** `db.ports[0]`, as values are named from the outermost chart. */
export const keysText = (keys: readonly string[]): string =>
  pathText(keys.map((key) => (isDigits(key) ? Number(key) : key)));
