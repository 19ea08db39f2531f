import { expect, test } from 'vitest';
import { withTemplateLines } from '../../src/change/template-lines.ts';
import { addedDetail, TshelmError } from '../../src/support/errors.ts';

const chartOf = (name: string, text: string, dependencies: readonly object[] = []) =>
  ({
    metadata: { name },
    templates: [{ name: 'templates/web.yaml', data: new TextEncoder().encode(text) }],
    dependencies,
  }) as unknown as Parameters<typeof withTemplateLines>[1]['chart'];

test('an object’s line is looked for in the template of the chart that it comes from', () => {
  const web = 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n';
  const chart = chartOf('shop', web, [chartOf('db', `# of the database\n${web}`)]);
  const id = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'web' };
  const files = ['shop/templates/web.yaml', 'shop/charts/db/templates/web.yaml', 'shop/charts/no/templates/web.yaml'];
  const details = { unready: [], objectFaults: files.map((file) => ({ id, file, path: file.slice('shop/'.length) })) };
  const located = withTemplateLines(new TshelmError('wait-failed', { message: 'x', details }), { chart });
  expect(addedDetail(located, 'objectFaults')?.map(({ line }) => line)).toEqual([1, 2, undefined]);
});
