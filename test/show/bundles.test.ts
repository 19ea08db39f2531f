import { describe, expect, test } from 'vitest';
import { bundled } from '../../src/show/bundles.ts';
import type { Line } from '../../src/show/layout/types.ts';
import type { PictureColumn } from '../../src/show/picture-types.ts';

const column = (prefix: string, count: number): PictureColumn => ({
  caption: '',
  boxes: Array.from({ length: count }, (_, index) => ({
    id: `${prefix}${index + 1}`,
    kind: 'chart',
    title: '',
    contents: [],
    reasons: [],
  })),
});
const ids = ({ boxes }: PictureColumn): string[] => boxes.map(({ id }) => id);
const every = (from: PictureColumn, to: PictureColumn): Line[] =>
  ids(from).flatMap((a) => ids(to).map((b) => ({ from: a, to: b })));
const texts = (arrows: readonly Line[]): string[] => arrows.map(({ from, to }) => `${from}>${to}`);

describe('arrows between all boxes of large columns', () => {
  const [a, b] = [column('a', 10), column('b', 10)];

  test('become one, from side to side', () => {
    const { arrows, gates } = bundled([a, b], every(a, b), 'p');
    expect(texts(arrows)).toEqual(['p_out1>p_in2']);
    expect(gates).toEqual([
      { id: 'p_out1', column: 0, side: 'out' },
      { id: 'p_in2', column: 1, side: 'in' },
    ]);
  });

  test('from some boxes to all: each of these has one', () => {
    const arrows = every(a, b).filter(({ from }) => from === 'a1' || from === 'a2');
    expect(texts(bundled([a, b], arrows, 'p').arrows)).toEqual(['a1>p_in2', 'a2>p_in2']);
  });

  test('one that is missing: the others say the same with fewer', () => {
    const given = every(a, b).filter(({ from, to }) => !(from === 'a1' && to === 'b1'));
    const { arrows, gates } = bundled([a, b], given, 'p');
    const members = new Map(gates.map(({ id, column }) => [id, ids(([a, b] as const)[column as 0 | 1])]));
    const endsOf = (id: string): readonly string[] => members.get(id) ?? [id];
    const said = arrows.flatMap(({ from, to }) =>
      endsOf(from).flatMap((one) => endsOf(to).map((two) => `${one}>${two}`)),
    );
    expect(said.sort()).toEqual(texts(given).sort());
    expect(arrows.length).toBeLessThan(20);
  });
});

test('small columns keep their arrows', () => {
  const [a, b] = [column('a', 3), column('b', 3)];
  expect(bundled([a, b], every(a, b), 'p')).toEqual({ arrows: every(a, b), gates: [] });
});
