import { nearestReleaseName } from '../../release/name.ts';
import { addedDetail, hasCode } from '../../support/errors.ts';
import { labelled } from '../../words/problem.ts';

/** How to go on after a failure: what it has left, and the commands that continue or take it back; '' where that is not known. */
export function nextStepsText(failure: unknown): string {
  if (hasCode(failure, 'name-in-use')) {
    const { release, status } = failure.details;
    const text = `release ${release} already exists (${status}): change it with tshelm upgrade ${release} CHART`;
    return `  ${labelled('fix', text)}\n`;
  }
  if (hasCode(failure, 'invalid-release-name') && failure.details.command !== undefined) {
    const near = nearestReleaseName(failure.details.name);
    const rule =
      'use lower-case letters, digits, "-" and "."; start and end with a letter or digit; at most 53 characters';
    return `  ${labelled('fix', near === undefined ? rule : `${rule}, for example ${near}`)}\n`;
  }
  const recorded = addedDetail(failure, 'recorded');
  if (recorded === undefined) return '';
  const { release, namespace, revision, deployed } = recorded;
  const back = deployed === undefined ? `uninstall ${release}` : `rollback ${release} ${deployed}`;
  const again = `fix the chart and run tshelm upgrade --install ${release} CHART -n ${namespace}`;
  const next = `${again}; or undo the change with tshelm ${back} -n ${namespace}`;
  const left = hasCode(failure, 'preflight-refused') ? '' : '; the objects already applied are still there';
  return `\nRevision ${revision} of ${release} is marked failed${left}.\n  ${labelled('next', next)}\n`;
}
