import { describe, expect, test } from 'vitest';
import { trimmedChart } from '../../../src/change/record/trim-record.ts';
import { chartOf } from '../../actions/harness.ts';

const others = {
  'README.md': 'read me',
  'docs/guide.md': 'guide',
  'crds/widget.yaml': 'kind: CustomResourceDefinition\n',
  'config.json': '{}',
  'dashboards/one.json': '{}',
  'dashboards/two.json': '{}',
  'scripts/run.sh': 'run',
};

async function kept(template: string, values = 'a: b\n'): Promise<readonly string[]> {
  const chart = await chartOf({ ...others, 'templates/all.yaml': template, 'values.yaml': values });
  return trimmedChart(chart, new Map())
    .files.map(({ name }) => name)
    .sort();
}

describe('--trim-record keeps the files that a template may read', () => {
  test.each([
    ['none, where no template has to do with Files', 'a: "config.json"', []],
    ['one that is named', '{{ .Files.Get "config.json" }}', ['config.json']],
    ['those of a pattern', '{{ .Files.Glob "dashboards/*.json" }}', ['dashboards/one.json', 'dashboards/two.json']],
    ['those of a raw string', '{{ .Files.Glob `**.sh` }}', ['scripts/run.sh']],
    [
      'those of a format',
      '{{ .Files.Get (printf "dashboards/%s.json" .x) }}',
      ['dashboards/one.json', 'dashboards/two.json'],
    ],
    ['none for a format of names', '{{ printf "%s-%s" .a .b }}{{ .Files.Get "x" }}', []],
    ['all, where it is not said which', '{{ range $name, $_ := .Files }}{{ end }}', Object.keys(others).sort()],
    ['those of a folder', '{{ .Files.Get (print "scripts/" .x) }}', ['scripts/run.sh']],
  ])('%s', async (_rule, template, files) => expect(await kept(template)).toEqual(files));

  test('one that a value names', async () => {
    expect(await kept('{{ .Files.Get .Values.file }}', 'file: docs/guide.md\nhosts: ["*"]\n')).toEqual([
      'docs/guide.md',
    ]);
  });

  test('templates, values, schema and metadata stay as they are', async () => {
    const chart = await chartOf({ ...others, 'templates/a.yaml': 'a: b', 'values.schema.json': '{}' });
    expect(trimmedChart(chart, new Map())).toEqual({ ...chart, files: [] });
  });
});
