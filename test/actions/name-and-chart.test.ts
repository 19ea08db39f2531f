import { afterAll, expect, test, vi } from 'vitest';
import { type NameOptions, nameAndChart } from '../../src/actions/name-and-chart.ts';

const now = () => new Date(1_700_000_000_999);

vi.stubEnv('TSHELM_TEST_JOB', 'job-7');
afterAll(() => vi.unstubAllEnvs());

// Expected values: action.Install.NameAndChart of Helm v4.3.1.
test.each<[string[], NameOptions, string, string]>([
  [['rel', './web'], {}, 'rel', './web'],
  [['./web'], { defaultName: 'release-name' }, 'release-name', './web'],
  [['./web'], { defaultName: 'release-name', generateName: true }, 'release-name', './web'],
  [['charts/web-1.2.3.tgz'], { generateName: true, now }, 'web-1-1700000000', 'charts/web-1.2.3.tgz'],
  [['charts/web/'], { generateName: true, now }, 'web-1700000000', 'charts/web/'],
  [['.'], { generateName: true, now }, 'chart-1700000000', '.'],
  [['oci://example.com/web:1.0'], { generateName: true, now }, 'web:1-1700000000', 'oci://example.com/web:1.0'],
  [['./web'], { nameTemplate: '{{ upper "a" | lower }}-{{ 1 | add 1 }}' }, 'a-2', './web'],
  [
    ['./web'],
    { nameTemplate: '{{ env "TSHELM_TEST_JOB" }}-{{ expandenv "${TSHELM_TEST_JOB}.$TSHELM_TEST_NONE" }}' },
    'job-7-job-7.',
    './web',
  ],
])('%j with %j', (args, options, name, chart) => expect(nameAndChart(args, options)).toEqual({ name, chart }));

test.each<[string[], NameOptions, string]>([
  [['./web'], {}, 'must either provide a name or specify --generate-name'],
  [['rel', './web'], { generateName: true }, 'cannot set --generate-name and also specify a name'],
  [['rel', './web'], { nameTemplate: 'x' }, 'cannot set --name-template and also specify a name'],
  [['rel', './web', 'x', 'z'], {}, 'expected at most two arguments, unexpected arguments: x, z'],
  [
    ['./web'],
    { nameTemplate: '{{ fail "x" }}' },
    'template: name-template:1:3: executing "name-template" at <fail "x">: error calling fail: x',
  ],
  [['./web'], { nameTemplate: '{{ upper }' }, 'template: name-template:1: unexpected "}" in operand'],
])('%j with %j is refused', (args, options, message) => expect(() => nameAndChart(args, options)).toThrow(message));
