import { TshelmError } from '../support/errors.ts';
import { nearestSubdomain } from '../support/near-name.ts';

const validName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const maxNameLength = 53;

/**
 * Refuses a name that Helm refuses (chartutil.ValidateReleaseName): at most 53 characters, a DNS subdomain in lower case.
 * Errors: `invalid-release-name`.
 */
export function validateReleaseName(name: string): void {
  if (name === '') throw invalidName(name, 'no name provided');
  if (!isValidReleaseName(name)) {
    throw invalidName(
      name,
      `invalid release name, must match regex ${validName.source} and the length must not be longer than ${maxNameLength}`,
    );
  }
}

export const isValidReleaseName = (name: string): boolean => name.length <= maxNameLength && validName.test(name);

/** The nearest name that is allowed; undefined where nothing is left of it. */
export function nearestReleaseName(name: string): string | undefined {
  return nearestSubdomain(name.slice(0, maxNameLength)) || undefined;
}

const invalidName = (name: string, message: string): TshelmError =>
  new TshelmError('invalid-release-name', { message, details: { name } });

/** Refuses an invalid name in the words that the command has for it. */
export function checkName(name: string, message: string): void {
  if (!isValidReleaseName(name)) throw new TshelmError('invalid-release-name', { message, details: { name } });
}

/** Refuses an invalid name where releases of it are asked for. Errors: `invalid-release-name`. */
export const checkNameAsked = (name: string): void => checkName(name, `release name is invalid: ${name}`);
