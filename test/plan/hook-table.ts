import { expect } from 'vitest';

/** `|` between what runs one after another, `,` between what runs together, `(a>b)` for a chain beside others. */
export interface HookRow {
  readonly A: HookModeText;
  readonly B: HookModeText;
  readonly C: HookModeText;
  readonly order: string;
}

type HookModeText = 'true' | 'false' | 'otherChartsOnly';

/** The table of seed 000: how hooks go by the `runHooksInParallel` of their charts. */
export const hookTable: readonly HookRow[] = [
  { A: 'true', B: 'true', C: 'true', order: 'H1, H3, H4, H6 | H2, H5, H7' },
  { A: 'true', B: 'false', C: 'true', order: 'H1, H6 | H3 | H4 | H2, H7 | H5' },
  { A: 'true', B: 'otherChartsOnly', C: 'true', order: 'H1, (H3>H4), H6 | H2, H5, H7' },
  { A: 'false', B: 'false', C: 'false', order: 'H1 | H3 | H4 | H6 | H2 | H5 | H7' },
];

const weights = { A: [0, 1], B: [0, 0, 1], C: [0, 1] } as const;

/** The table's chart: H1 and H2 in A, H3 to H5 in B, H6 and H7 in C. `mode` writes a mode into a Chart.yaml. */
export function hookFiles(
  row: HookRow,
  hook: (name: string, weight: number) => string,
  mode: (text: string) => string,
): Readonly<Record<string, string>> {
  let number = 0;
  const files = (['A', 'B', 'C'] as const).flatMap((chart) => [
    [`charts/${chart}/Chart.yaml`, `apiVersion: v2\nname: ${chart}\nversion: 1.0.0\n${mode(row[chart])}\n`],
    ...weights[chart].map((weight) => {
      number += 1;
      return [`charts/${chart}/templates/h${number}.yaml`, hook(`h${number}`, weight)];
    }),
  ]);
  return Object.fromEntries(files) as Record<string, string>;
}

/** When a hook began and was done, on any scale that only goes forward. */
interface HookLife {
  readonly began: number;
  readonly ready: number;
}

/** Checks lives, by the hooks' names in lower case, against the order of a row. */
export function expectHookOrder(order: string, lives: ReadonlyMap<string, HookLife>): void {
  const lifeOf = (name: string): HookLife => {
    const life = lives.get(name.toLowerCase());
    if (life === undefined) throw new Error(`${name} did not run`);
    return life;
  };
  const batches = order
    .split(' | ')
    .map((batch) => batch.split(', ').map((chain) => chain.replaceAll(/[()]/g, '').split('>').map(lifeOf)));
  for (const chains of batches) {
    for (const chain of chains) expectOneByOne(chain);
    const heads = chains.map(([head]) => head as HookLife);
    for (const head of heads) for (const other of heads) expect(head.began).toBeLessThan(other.ready);
  }
  for (const [index, chains] of batches.slice(1).entries()) {
    const before = Math.max(...(batches[index] ?? []).flat().map(({ ready }) => ready));
    for (const { began } of chains.flat()) expect(began).toBeGreaterThanOrEqual(before);
  }
}

function expectOneByOne(chain: readonly HookLife[]): void {
  for (const [index, { began }] of chain.slice(1).entries())
    expect(began).toBeGreaterThanOrEqual((chain[index] as HookLife).ready);
}
