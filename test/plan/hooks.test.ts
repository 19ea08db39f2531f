import { describe, expect, test } from 'vitest';
import type { Hook } from '../../src/manifest/types.ts';
import { type HookMode, hookBatches } from '../../src/plan/hooks.ts';
import { hookTable } from './hook-table.ts';
import { hookOf } from './manifests.ts';

/** `|` between what runs one after another, `,` between what runs together, `(a>b)` for a chain beside others. */
const asText = (batches: readonly (readonly (readonly Hook[])[])[]): string =>
  batches.map((chains) => chains.map((chain) => chainText(chain, chains.length > 1)).join(', ')).join(' | ');

const chainText = (chain: readonly Hook[], hasNeighbours: boolean): string => {
  const names = chain.map(({ name }) => name);
  if (names.length === 1) return names[0] as string;
  return hasNeighbours ? `(${names.join('>')})` : names.join(' | ');
};

describe('runHooksInParallel', () => {
  const inChart = (chart: string) => ({ path: `app/charts/${chart}/templates/hook.yaml` });
  const hooks = [
    hookOf('H1', inChart('A')),
    hookOf('H2', { ...inChart('A'), weight: 1 }),
    hookOf('H3', inChart('B')),
    hookOf('H4', inChart('B')),
    hookOf('H5', { ...inChart('B'), weight: 1 }),
    hookOf('H6', inChart('C')),
    hookOf('H7', { ...inChart('C'), weight: 1 }),
  ];
  test.each(hookTable)('A $A, B $B, C $C: $order', ({ order, ...row }) => {
    const modes = new Map<string, HookMode>(Object.entries(row));
    const modeOf = (path: string): HookMode => modes.get(path.split('/')[2] ?? '') ?? 'false';
    expect(asText(hookBatches(hooks, 'pre-install', modeOf))).toBe(order);
  });
});

describe("Helm's order", () => {
  test.each<[string, Hook[], string]>([
    ['by weight, negative first', [hookOf('a', { weight: 10 }), hookOf('b', { weight: -1 }), hookOf('c')], 'b | c | a'],
    ['then by name, by code point', [hookOf('b'), hookOf('a'), hookOf('B')], 'B | a | b'],
    ['other events do not count', [hookOf('a', {}, 'post-install'), hookOf('b')], 'b'],
    ['several events in one hook', [hookOf('a', { events: ['post-install', 'pre-install'] })], 'a'],
  ])('%s', (_what, hooks, expected) => expect(asText(hookBatches(hooks, 'pre-install'))).toBe(expected));
});

test('beside one another, what holds configuration comes before Pods and Jobs, in kind order', () => {
  const hooks = [
    hookOf('a-job'),
    hookOf('z-role', { kind: 'Role' }),
    hookOf('y-account', { kind: 'ServiceAccount' }),
    hookOf('b-pod', { kind: 'Pod' }),
  ];
  expect(asText(hookBatches(hooks, 'pre-install', () => 'true'))).toBe('y-account, z-role | a-job, b-pod');
});
