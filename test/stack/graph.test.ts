import { expect, test } from 'vitest';
import { groupsOf } from '../../src/stack/graph.ts';
import { reversed, type StackNode, without } from '../../src/stack/plan-stack.ts';

const chain = Array.from({ length: 20_000 }, (_, index) => ({
  name: `r${index}`,
  needs: index === 0 ? [] : [`r${index - 1}`],
}));

test('a chain of 20,000 releases has as many groups', () => {
  const groups = groupsOf([...chain].reverse(), { needs: 'refuse', locate: () => '' });
  expect(groups).toHaveLength(20_000);
  expect(groups[19_999]).toEqual([chain[19_999]]);
});

test('a chain is turned round, and what is left out of it is passed over', () => {
  const nodes = chain.map(({ name, needs }) => ({ id: name, needs }) as unknown as StackNode);
  expect(reversed(nodes)[1]).toMatchObject({ id: 'r19998', needs: ['r19999'] });
  const ends = new Set(['r0', 'r19999']);
  expect(without(nodes, ({ id }) => !ends.has(id))).toEqual([nodes[0], { id: 'r19999', needs: ['r0'] }]);
});

test('however many ways lead through what is left out, each is gone once', () => {
  const levels = Array.from({ length: 100 }, (_, level) =>
    ['a', 'b'].map((side) => ({
      id: `${side}${level}`,
      needs: level === 0 ? ['first'] : [`a${level - 1}`, `b${level - 1}`],
    })),
  ).flat();
  const nodes = [{ id: 'first', needs: [] }, ...levels, { id: 'last', needs: ['a99', 'b99'] }];
  expect(without(nodes, ({ id }) => /\d/.test(id))).toEqual([nodes[0], { id: 'last', needs: ['first'] }]);
});
