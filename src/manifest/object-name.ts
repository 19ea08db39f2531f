import { TshelmError } from '../support/errors.ts';

/** Errors: `bad-options` for what is not the name of an object, whatever the object. */
export function checkObjectName(text: string): void {
  const parts = text.split('/');
  if (parts.length >= 2 && parts.length <= 3 && !parts.includes('')) return;
  throw new TshelmError('bad-options', {
    message: `${JSON.stringify(text)} is not the name of an object; write KIND/NAME or NAMESPACE/KIND/NAME, for example ConfigMap/settings`,
    details: { option: 'objects' },
  });
}
