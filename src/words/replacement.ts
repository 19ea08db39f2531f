import { unreachable } from '../support/errors.ts';

/** `spec.selector.matchLabels.app is immutable`; `asked for` where no field forces it. */
export function whyReplaced(forcedBy: readonly string[]): string {
  if (forcedBy.length === 0) return 'asked for';
  const named = forcedBy.slice(0, namedFields).join(', ');
  const more = forcedBy.length > namedFields ? ` and ${forcedBy.length - namedFields} more` : '';
  return `${named}${more} ${forcedBy.length === 1 ? 'is' : 'are'} immutable`;
}

const namedFields = 3;

/** `deleted and created again`, `deleted without its pods and created again` */
export function howReplaced(kind: string, how: 'delete' | 'orphan'): string {
  switch (how) {
    case 'delete':
      return 'deleted and created again';
    case 'orphan':
      return `deleted without ${kind === 'StatefulSet' ? 'its pods' : 'what it owns'} and created again`;
    default:
      return unreachable(how);
  }
}
