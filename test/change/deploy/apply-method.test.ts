import { expect, test } from 'vitest';
import { isClientSide, usesServerSideApply } from '../../../src/change/deploy/apply-method.ts';
import { releaseOf } from '../../release/releases.ts';

const earlier = releaseOf('web', 1, 'deployed', { applyMethod: 'csa' });

test.each([
  [undefined, false, false],
  ['auto', false, false],
  [true, true, false],
  ['true', true, false],
  [false, false, true],
  ['false', false, true],
] as const)('%j is the same as a text and as a boolean', (mode, followsEarlier, isClient) => {
  expect([usesServerSideApply(mode, earlier), isClientSide(mode)]).toEqual([followsEarlier, isClient]);
});
