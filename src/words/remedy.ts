import type { Remedy } from '../problem/remedy.ts';
import { keysText } from './value.ts';
import { workloadRemedyText } from './workload-remedy.ts';

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
      return remedy.instead === undefined
        ? workloadRemedyText(remedy)
        : `write "${remedy.value}" instead of "${remedy.instead}"`;
    case 'create-object':
    case 'use-name':
    case 'outside':
      return workloadRemedyText(remedy);
    case 'run':
      return `run tshelm ${[remedy.verb, ...remedy.arguments].join(' ')}`;
    default:
      return JSON.stringify(remedy);
  }
}
