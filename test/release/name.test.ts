import { expect, test } from 'vitest';
import { isValidReleaseName, nearestReleaseName } from '../../src/release/name.ts';

test.each([
  ['My_App', 'my-app'],
  ['-web-', 'web'],
  ['shop..api_', 'shop.api'],
  ['a'.repeat(60), 'a'.repeat(53)],
  [`${'a'.repeat(52)}-b`, 'a'.repeat(52)],
  ['___', undefined],
])('near %s there is a name that is allowed', (name, near) => {
  expect(nearestReleaseName(name)).toBe(near);
  expect(isValidReleaseName(near ?? 'none')).toBe(true);
});
