import type { Remedy } from '../problem/remedy.ts';
import { keysText } from './value.ts';

/** What to do, in one line. */
export function remedyText(remedy: Remedy): string {
  switch (remedy.kind) {
    case 'sentence':
      return remedy.text;
    case 'set-value': {
      const makes = remedy.makes === undefined ? '' : `, which makes it "${remedy.makes}"`;
      return `set ${keysText(remedy.keys)} to "${remedy.value}"${makes}`;
    }
    case 'change-field':
      return `write "${remedy.value}" instead of "${remedy.instead}"`;
    default:
      return JSON.stringify(remedy);
  }
}
