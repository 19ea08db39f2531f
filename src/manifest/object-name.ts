import { TshelmError } from '../support/errors.ts';
import { groupOf } from './resource-id.ts';
import type { ResourceId } from './types.ts';

/** Whether a name means an object. Errors: `bad-options` for what is no name of one. */
export function namesObject(text: string, id: ResourceId): boolean {
  const [kindAndGroup = '', ...rest] = text.split('/');
  const [namespace, name] = rest.length === 2 ? rest : [undefined, rest[0]];
  if (kindAndGroup === '' || !name || rest.length > 2)
    throw new TshelmError('bad-options', {
      message: `${JSON.stringify(text)} is not the name of an object; write KIND/NAME, for example ConfigMap/settings`,
      details: { option: 'objects' },
    });
  const [kind, ...group] = kindAndGroup.toLowerCase().split('.');
  return (
    id.kind.toLowerCase() === kind &&
    id.name === name &&
    (group.length === 0 || groupOf(id.apiVersion) === group.join('.')) &&
    (namespace === undefined || id.namespace === namespace)
  );
}
