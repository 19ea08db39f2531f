import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readJsonDocument } from '../../src/chart/schema/json-document.ts';
import { validateAgainstSchema } from '../../src/chart/schema/validate.ts';
import { refusalProblems } from '../../src/execute/faults.ts';
import type { GoMap } from '../../src/go/value.ts';
import type { Problem } from '../../src/problem/problem.ts';
import { prepareChart, renderRelease } from '../../src/render/release.ts';
import { problemsOf } from '../../src/support/errors.ts';
import { chartOf } from '../render/chart-text.ts';
import { recordedRefusals } from './recorded-refusals.ts';
import { fieldAt } from './shown.ts';

const schema = readFileSync('docs/problem.schema.json');

/** What is wrong with a problem as a program gets it; '' where it is as the schema says. */
const problemOfJson = (problem: unknown): Promise<string> =>
  validateAgainstSchema(schema, readJsonDocument(JSON.stringify(problem)) as GoMap, {
    notify: () => {},
    download: undefined,
  });

test('each refusal of an API server is as docs/problem.schema.json says', async () => {
  const problems = recordedRefusals().flatMap(({ body, status }) => {
    const { apiVersion = 'v1', kind = 'ConfigMap', metadata } = body;
    const object = { ...body, apiVersion, kind, metadata: metadata ?? { name: 'a' } };
    const id = { apiVersion, kind, namespace: 'default', name: object.metadata.name ?? '' };
    return refusalProblems({ subject: { kind: 'object', id, template: 'a/b.yaml' }, object, refusal: status });
  });
  expect(problems.length).toBeGreaterThan(30);
  for (const problem of problems) expect(await problemOfJson(problem), JSON.stringify(problem)).toBe('');
});

test('lines, values and options are as the schema says', async () => {
  const id = { apiVersion: 'v1', kind: 'Service', namespace: 'a', name: 'b' };
  const value = { kind: 'value', keys: ['a', 'b'], text: '1', file: 'a/values.yaml', line: 2 } as const;
  const line = { kind: 'template', file: 'a/templates/b.yaml', line: 3, written: 'x' } as const;
  const problem: Problem = {
    code: 'field-type',
    subject: { kind: 'object', id, template: 'a/templates/b.yaml', line: 1 },
    cause: { code: 'field-type', field: 'spec.a', wanted: 'number', value: 'x' },
    places: [{ ...fieldAt(id, 'a/templates/b.yaml', ['spec', 'a']), lines: [line], values: [value] }, value],
    remedies: [{ kind: 'set-option', option: 'forceReplace', alsoSet: { serverSide: 'false' } }],
    evidence: [],
  };
  expect(await problemOfJson(problem)).toBe('');
  expect(await problemOfJson({ ...problem, places: [{ kind: 'elsewhere' }] })).not.toBe('');
});

test.each([
  ['a value that is missing', { 'templates/a.yaml': 'a: {{ .Values.a.b }}\n' }],
  ['required', { 'templates/a.yaml': 'a: {{ required "set b" .Values.b }}\n' }],
  ['a text that is no YAML', { 'templates/a.yaml': 'a: "b\n' }],
  [
    'a value that a schema refuses',
    { 'values.schema.json': '{"properties": {"a": {"minimum": 1}}}', 'values.yaml': 'a: 0\n' },
  ],
  ['a schema that is no JSON', { 'values.schema.json': '{"a": 1,}' }],
])('the problems of a chart are, too: %s', async (_what, files) => {
  const prepared = prepareChart(await chartOf(files), new Map());
  const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };
  const failure: unknown = await renderRelease(prepared, new Map(), { release }).catch((error: unknown) => error);
  expect(problemsOf(failure)).not.toEqual([]);
  for (const problem of problemsOf(failure)) expect(await problemOfJson(problem), JSON.stringify(problem)).toBe('');
});
