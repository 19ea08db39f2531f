import { addedDetail, hasCode } from '../../support/errors.ts';
import { labelled } from './fault-text.ts';

/** How to go on after a failure: what it has left, and the commands that continue or take it back; '' where that is not known. */
export function wayOnText(failure: unknown): string {
  if (hasCode(failure, 'name-in-use')) {
    const { release, status } = failure.details;
    const text = `a release ${release} is there (${status}): tshelm upgrade --install goes on with it, tshelm uninstall removes it`;
    return `  ${labelled('fix', text)}\n`;
  }
  const recorded = addedDetail(failure, 'recorded');
  if (recorded === undefined) return '';
  const { release, namespace, revision, deployed } = recorded;
  const back = deployed === undefined ? `uninstall ${release}` : `rollback ${release} ${deployed}`;
  const next = `tshelm upgrade --install, once it is mended; or tshelm ${back} -n ${namespace}`;
  return `\nRevision ${revision} of ${release} is recorded as failed; what was applied stays.\n  ${labelled('next', next)}\n`;
}
