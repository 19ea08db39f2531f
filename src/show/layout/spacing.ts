/** Something with a height that would best be centred at `wanted`. */
export interface Spaced {
  readonly height: number;
  readonly wanted: number;
}

/**
 * The centres of items in one column, in their order and at least `gap` apart, as near as possible to where each is
 * wanted (least squares, by pooling adjacent violators).
 */
export function spacedOut(items: readonly Spaced[], gap: number): readonly number[] {
  const offsets = offsetsOf(items, gap);
  const pools: { sum: number; count: number }[] = [];
  for (const [index, { wanted }] of items.entries()) {
    let pool = { sum: wanted - (offsets[index] as number), count: 1 };
    for (let last = pools.at(-1); last !== undefined && mean(last) > mean(pool); last = pools.at(-1)) {
      pools.pop();
      pool = { sum: last.sum + pool.sum, count: last.count + pool.count };
    }
    pools.push(pool);
  }
  const shifts = pools.flatMap((pool) => Array.from({ length: pool.count }, () => mean(pool)));
  return offsets.map((offset, index) => offset + (shifts[index] as number));
}

const mean = ({ sum, count }: { readonly sum: number; readonly count: number }): number => sum / count;

/** The centres of items that are packed as close as they may be. */
export function offsetsOf(items: readonly Pick<Spaced, 'height'>[], gap: number): readonly number[] {
  let top = 0;
  return items.map(({ height }) => {
    const centre = top + height / 2;
    top += height + gap;
    return centre;
  });
}
