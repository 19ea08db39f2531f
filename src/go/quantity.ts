const suffixes: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** The number that a Kubernetes quantity (`100m`, `1Gi`, `0.5`) stands for; undefined for anything else. */
export function quantityOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  const match =
    typeof value === 'string' ? /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(value) : null;
  const factor = suffixes[match?.[2] ?? ''];
  return match === null || factor === undefined ? undefined : Number((Number(match[1]) * factor).toPrecision(12));
}

/** Whether two values are one quantity, written in two ways: `1000m` and `1`. */
export function isSameQuantity(before: unknown, after: unknown): boolean {
  const quantity = quantityOf(before);
  return quantity !== undefined && quantity === quantityOf(after);
}
