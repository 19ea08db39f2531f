import { nearestReleaseName } from '../../release/name.ts';
import { addedDetail, hasCode } from '../../support/errors.ts';
import { type Mark, markedDetail, unmarked } from './line-role.ts';

/** How to go on after a failure: what it has left, and the commands that continue or take it back; '' where that is not known. */
export function nextStepsText(failure: unknown, mark: Mark = unmarked): string {
  if (hasCode(failure, 'name-in-use')) {
    const { release, status } = failure.details;
    const text = `release ${release} already exists (${status}): change it with tshelm upgrade ${release} CHART`;
    return `  ${markedDetail(mark, 'fix', text)}\n`;
  }
  if (hasCode(failure, 'invalid-release-name') && failure.details.command !== undefined) {
    const near = nearestReleaseName(failure.details.name);
    const rule =
      'use lower-case letters, digits, "-" and "."; start and end with a letter or digit; at most 53 characters';
    return `  ${markedDetail(mark, 'fix', near === undefined ? rule : `${rule}, for example ${near}`)}\n`;
  }
  const recorded = addedDetail(failure, 'recorded');
  if (recorded === undefined) return '';
  const { release, namespace, revision, deployed } = recorded;
  const back = deployed === undefined ? `uninstall ${release}` : `rollback ${release} ${deployed}`;
  const again = `fix the chart and run tshelm upgrade --install ${release} CHART -n ${namespace}`;
  const next = `${again}; or undo the change with tshelm ${back} -n ${namespace}`;
  return `\nRevision ${revision} of ${release} is marked failed; the objects already applied are still there.\n  ${markedDetail(mark, 'next', next)}\n`;
}
