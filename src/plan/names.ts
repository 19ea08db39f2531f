import type { Hook, Manifest } from '../manifest/types.ts';

/** `Deployment/web`, as plans, pictures and rehearsals name a resource. */
export const resourceName = ({ object }: Manifest): string => `${object.kind}/${object.metadata.name}`;

/** `Job/migrate`: the same for a hook. */
export const hookName = ({ kind, name }: Hook): string => `${kind}/${name}`;

/** `Deployment/web and 2 more` */
export const namesText = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} and ${others.length} more`;
