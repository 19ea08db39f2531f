import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { showText } from '../../src/chart/show.ts';

const fixtures = fileURLToPath(new URL('../../fixtures', import.meta.url));

test.each(['chart', 'values', 'readme', 'crds', 'all'] as const)('show %s is what Helm shows', async (section) => {
  const chart = await loadChart(`${fixtures}/charts/shown`);
  expect(showText(chart, section)).toBe(readFileSync(`${fixtures}/show/${section}.txt`, 'utf8'));
});
