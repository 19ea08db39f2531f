import { expect, test } from 'vitest';
import { clampedPeriod, whole, zoomedPeriod } from '../../../src/show/browser/timeline/period.ts';

test('a period is never longer than the whole, nor shorter than a two-hundredth of it', () => {
  expect(zoomedPeriod(whole, 0.1, 0.5)).toEqual(whole);
  expect(zoomedPeriod(whole, 1e9, 0.5).length).toBe(1 / 200);
});

test('the moment that is zoomed at stays where it is', () => {
  expect(zoomedPeriod(whole, 2, 0.5)).toEqual({ from: 0.25, length: 0.5 });
  expect(zoomedPeriod({ from: 0.2, length: 0.4 }, 2, 0.3).from).toBeCloseTo(0.25);
});

test('a period ends where the time ends', () => {
  expect(clampedPeriod({ from: 2, length: 0.5 })).toEqual({ from: 0.5, length: 0.5 });
  expect(clampedPeriod({ from: -2, length: 0.5 })).toEqual({ from: 0, length: 0.5 });
});
