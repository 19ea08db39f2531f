const withoutDashes = (text: string): string => text.replace(/^-+|-+$/g, '');

/** The nearest DNS label: small letters, digits and dashes between them; '' where nothing is left. */
export const nearestLabel = (text: string): string => withoutDashes(text.toLowerCase().replace(/[^a-z0-9]+/g, '-'));

/** The nearest DNS subdomain: labels between dots. */
export const nearestSubdomain = (text: string): string =>
  text
    .split('.')
    .map(nearestLabel)
    .filter((label) => label !== '')
    .join('.');
