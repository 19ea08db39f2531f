import { TshelmError } from '../support/errors.ts';
import { isNamed } from './resource-id.ts';
import type { ResourceId } from './types.ts';

/** Whether a name means an object. Errors: `bad-options` for what is no name of one. */
export function namesObject(text: string, id: ResourceId): boolean {
  const parts = text.split('/');
  if (parts.length < 2 || parts.length > 3 || parts.includes(''))
    throw new TshelmError('bad-options', {
      message: `${JSON.stringify(text)} is not the name of an object; write KIND/NAME or NAMESPACE/KIND/NAME, for example ConfigMap/settings`,
      details: { option: 'objects' },
    });
  // Records of moves that were begun by tshelm before may name KIND/NAMESPACE/NAME.
  const [kind = '', namespace = '', name] = parts;
  return isNamed(id, text) || (name !== undefined && isNamed(id, `${namespace}/${kind}/${name}`));
}
