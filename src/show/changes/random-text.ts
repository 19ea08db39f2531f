import type { RandomField } from '../../actions/comparison/object-diff.ts';

/** `differs at each render: metadata.name, spec.token` */
export const randomPaths = (random: readonly RandomField[]): string => textOf(random.map(({ path }) => path));

/** `differs at each render: metadata.name (web-test-x1y2z)`: with all of what is sent, as a reviewer has to see it. */
export const randomValues = (random: readonly RandomField[]): string =>
  textOf(random.map(({ path, value }) => `${path} (${valueText(value)})`));

const textOf = (fields: readonly string[]): string => `differs at each render: ${fields.join(', ')}`;

const valueText = (value: unknown): string =>
  typeof value === 'string' && !value.includes('\n') ? value : JSON.stringify(value);
