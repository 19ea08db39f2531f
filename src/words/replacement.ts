import { unreachable } from '../support/errors.ts';

/** `spec.selector.matchLabels.app is immutable`; `asked for` where no field forces it. */
export function whyReplaced(forcedBy: readonly string[]): string {
  if (forcedBy.length === 0) return 'asked for';
  const named = forcedBy.slice(0, namedFields).join(', ');
  const more = forcedBy.length > namedFields ? ` and ${forcedBy.length - namedFields} more` : '';
  return `${named}${more} ${forcedBy.length === 1 ? 'is' : 'are'} immutable`;
}

const namedFields = 3;

/** `deleted and recreated`, `deleted without its pods and recreated` */
export function howReplaced(kind: string, how: 'delete' | 'orphan'): string {
  switch (how) {
    case 'delete':
      return 'deleted and recreated';
    case 'orphan':
      return `deleted without ${kind === 'StatefulSet' ? 'its pods' : 'what it owns'} and recreated`;
    default:
      return unreachable(how);
  }
}
