import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { chartFile } from '../../src/cli/errors/chart-file.ts';

const directory = mkdtempSync(join(tmpdir(), 'tshelm-chart-file-'));
afterAll(() => rmSync(directory, { recursive: true }));

const write = (file: string, text = ''): void => {
  mkdirSync(dirname(join(directory, file)), { recursive: true });
  writeFileSync(join(directory, file), text);
};
write('app/Chart.yaml', 'dependencies:\n- {name: redis, version: 1.0.0, alias: cache}\n');
write('app/charts/redis/Chart.yaml', 'dependencies:\n- {name: common, version: 1.0.0, alias: base}\n');
write('app/charts/redis/values.yaml');
write('app/charts/redis/charts/common/templates/_a.tpl');
write('app/templates/a.yaml');

test.each([
  ['shop/templates/a.yaml', 'app/templates/a.yaml'],
  ['shop/charts/redis/values.yaml', 'app/charts/redis/values.yaml'],
  ['shop/charts/cache/values.yaml', 'app/charts/redis/values.yaml'],
  ['shop/charts/cache/charts/base/templates/_a.tpl', 'app/charts/redis/charts/common/templates/_a.tpl'],
  ['shop/charts/other/values.yaml', undefined],
  ['shop/templates/b.yaml', undefined],
])('%s is %s on disk', (named, expected) => expect(chartFile(named, 'app', directory)).toBe(expected));
