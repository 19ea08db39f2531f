import { manifestsOf } from '../plan/arrange.ts';
import type { Step } from '../plan/types.ts';
import { unreachable } from '../support/errors.ts';
import { countOf } from '../support/text.ts';

/** Whether a step does what its user asked for; the others keep the books and tidy up. */
export const isAnnounced = ({ kind }: Step): boolean => kind !== 'record' && kind !== 'hook-objects';

export function stepTitle(step: Step): string {
  switch (step.kind) {
    case 'install-crds':
      return `install ${countOf(step.manifests.length, 'CRD')}`;
    case 'create-namespace':
      return `create namespace ${step.name}`;
    case 'record':
      return `record revision ${step.revision} as ${step.status}`;
    case 'await-needs':
      return `wait for ${step.needs.map(({ text }) => text).join(', ')}`;
    case 'run-hooks':
      return `run ${step.event} hooks`;
    case 'apply':
      return `apply ${countOf(manifestsOf(step.unit).length, 'resource')}`;
    case 'delete':
      return `delete ${countOf(manifestsOf(step.unit).length, 'resource')}`;
    case 'hook-objects':
      return `${step.task === 'report' ? 'look for' : 'delete'} objects of ${countOf(step.hooks.length, 'hook')}`;
    default:
      return unreachable(step);
  }
}
