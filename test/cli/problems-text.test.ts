import { describe, expect, test } from 'vitest';
import { errorText } from '../../src/cli/errors/error-text.ts';
import type { FieldPath } from '../../src/manifest/field-path.ts';
import type { FieldPlace, TemplatePlace } from '../../src/problem/place.ts';
import type { ObjectProblem, Problem } from '../../src/problem/problem.ts';
import { type KnownDetails, TshelmError } from '../../src/support/errors.ts';
import { fieldAt, madeProblem, type Parts } from '../problem/shown.ts';

const id = (kind: string, name: string) => ({ apiVersion: 'v1', kind, namespace: 'default', name });
const faultOf = (name: string, more: Parts): ObjectProblem & { readonly said: string } => {
  const parts = { file: `shop/templates/${name}.yaml`, line: 1, helm: head(name), ...more };
  return { ...madeProblem(id('Deployment', name), parts), said: more.said ?? '' };
};
/** A field whose line in the template is known, and the values in it. */
const fieldIn = (
  name: string,
  path: FieldPath,
  line: number,
  more: Pick<TemplatePlace, 'written'> & Pick<FieldPlace, 'values'> = {},
) => {
  const file = `shop/templates/${name}.yaml`;
  const { written, values } = more;
  return {
    ...fieldAt(id('Deployment', name), file, path),
    lines: [{ kind: 'template', file, line, written }],
    values,
  } as const;
};
const said = (name: string, reason: string): string =>
  `resource Deployment/default/${name} not ready. status: Failed, message: ${reason}`;
const head = (name: string): string => `resource Deployment/default/${name} not ready. status: Failed`;
const failed = (text: string, problems: readonly Problem[], more: KnownDetails = {}) => {
  const [, command] = /^(\w+ FAILED): /.exec(text) ?? [];
  return new TshelmError('wait-failed', { message: text, details: { unready: [], problems, command, ...more } });
};

test('one fault: its cause is in the first line, and below it its place, the value, the way out and the log', () => {
  const path = ['spec', 'template', 'spec', 'containers', 0, 'image'];
  const values = [
    { kind: 'value', keys: ['image', 'name'], file: 'shop/values.yaml', line: 3 },
    { kind: 'value', keys: ['image', 'registry'], file: 'shop/values.yaml', line: 2, ownFile: 'ci.yaml' },
    { kind: 'value', text: '"6.1"', keys: ['image', 'tag'], isGiven: true, flag: '--set' },
    { kind: 'value', keys: ['image', 'suffix'], isGiven: true, file: 'ci.yaml', line: 4 },
    { kind: 'value', keys: ['image', 'rest'], isGiven: true },
  ] as const;
  const fault = faultOf('web', {
    problem: 'container app: no such tag',
    said: said('web', 'Pod/web-1-x, container app: no such tag'),
    places: [
      fieldIn('web', path, 7, { written: 'image: {{ .Values.image }}', values }),
      fieldAt(id('Deployment', 'web'), '', ['spec']),
    ],
    fixes: ['web:6.2'],
    log: ['a', 'b'],
    facts: ['Unhealthy: 503'],
    command: 'kubectl logs web-1-x',
  });
  const text = errorText(
    failed(`INSTALLATION FAILED: ${fault.said}`, [fault], { notes: ['not judged: Deployment/db'] }),
  );
  expect(text).toBe(`Error: INSTALLATION FAILED: Deployment/web: container app: no such tag
  where  shop/templates/web.yaml:7: image: {{ .Values.image }}
  value  image.name is set in shop/values.yaml:3
  value  image.registry is set in shop/values.yaml:2 (the chart's default; set your value in ci.yaml)
  value  image.tag is set to "6.1" by --set
  value  image.suffix is set in ci.yaml:4
  value  image.rest is set with -f or --set
  fix    push web:6.2
  log    a
         b
  also   Unhealthy: 503
  more   kubectl logs web-1-x

not judged: Deployment/db

Helm's error: resource Deployment/default/web not ready. status: Failed
`);
});

test('a cause that lies elsewhere goes before what was seen, and what was not judged has its places too', () => {
  const web = faultOf('web', {
    problem: 'no chart reads the values under redis reach no chart',
    symptom: 'no such tag',
    said: said('web', 'no such tag'),
    places: [{ kind: 'value', keys: ['redis'], file: 'shop/values.yaml', line: 76 }],
    fixes: ['web:7'],
  });
  const api = faultOf('api', { problem: 'the probe fails', state: 'unjudged', log: ['on 8080'] });
  expect(
    errorText(failed(`UPGRADE FAILED: ${web.said}`, [web, api])),
  ).toBe(`Error: UPGRADE FAILED: Deployment/web: no chart reads the values under redis reach no chart
  value  redis is set in shop/values.yaml:76
  fix    push web:7
  so     no such tag

still starting when the run stopped:
  Deployment/api: the probe fails
    object shop/templates/api.yaml:1
    log    on 8080

Helm's error: resource Deployment/default/web not ready. status: Failed
`);
});

test.each([
  ['batch 1 of 2 of shop (web): ', { number: 1, of: 2, names: ['web'] }, '\n  batch  1 of 2 of shop (web)\n'],
  ['batch 1 of 1 of shop (web, db): ', { number: 1, of: 1, names: ['web', 'db'] }, undefined],
  ['failed pre-install: ', undefined, undefined],
])('the batch of one fault stands below its cause, where there are several: %s', (step, batch, line) => {
  const web = faultOf('web', { problem: 'no such tag', said: said('web', 'no such tag') });
  const more = { batch: batch && { unit: 'shop', ...batch } };
  const told = errorText(failed(`INSTALLATION FAILED: ${step}${web.said}`, [web], more));
  expect(told).toContain(
    `INSTALLATION FAILED: ${line === undefined && step.startsWith('f') ? step : ''}Deployment/web: no such tag\n`,
  );
  expect(told.includes('batch')).toBe(line !== undefined);
  expect(told).toContain(line ?? '');
});

describe('several faults', () => {
  const web = faultOf('web', { problem: 'no such tag', said: said('web', 'no such tag') });
  const db = faultOf('db', { problem: 'no such key', said: said('db', 'no such key'), line: undefined });

  test('are numbered, and that the time was up is none of them', () => {
    const message = `INSTALLATION FAILED: ${web.said}\n${db.said}\ntimed out after 1m0s (context deadline exceeded)`;
    const details = { unready: [], timeoutMs: 60_000, problems: [web, db], command: 'INSTALLATION FAILED' };
    expect(
      errorText(new TshelmError('wait-timeout', { message, details })),
    ).toBe(`Error: INSTALLATION FAILED: 2 errors (timed out after 1m0s)

1. Deployment/web: no such tag
   object shop/templates/web.yaml:1

2. Deployment/db: no such key
   object shop/templates/db.yaml

Helm's error:
  resource Deployment/default/web not ready. status: Failed
  resource Deployment/default/db not ready. status: Failed
  context deadline exceeded
`);
  });

  test('of different batches say which each is of; of one batch it is said once', () => {
    const first = 'batch 1 of 2 of shop (web): ';
    const text = (second: string) =>
      errorText(failed(`UPGRADE FAILED: ${first}${web.said}\n${second}${db.said}`, [web, db])).split('\n');
    expect(text('batch 1 of 1 of db (db): ').filter((line) => /^(Error|\d)/.test(line))).toEqual([
      'Error: UPGRADE FAILED: 2 errors',
      '1. batch 1 of 2 of shop (web): Deployment/web: no such tag',
      '2. batch 1 of 1 of db (db): Deployment/db: no such key',
    ]);
    expect(text('')[0]).toBe('Error: UPGRADE FAILED: batch 1 of 2 of shop (web): 2 errors');
  });

  test('of one cause are told as one, with all their places', () => {
    const values = [{ kind: 'value', text: 'true', keys: ['tls'], isGiven: true, flag: '--set' }] as const;
    const of = (name: string, problem: string) =>
      faultOf(name, { problem, places: [fieldIn(name, ['apiVersion'], 2, { values })], fixes: ['a:1'] });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const all = [...names.map((name) => of(name, 'no matches')), of('g', 'another')];
    expect(errorText(failed('INSTALLATION FAILED: x', all))).toContain(`INSTALLATION FAILED: 2 errors

1. Deployment/a, Deployment/b, Deployment/c, Deployment/d, Deployment/e and 1 more: no matches
   where  shop/templates/a.yaml:2: apiVersion
   where  shop/templates/b.yaml:2: apiVersion
   where  shop/templates/c.yaml:2: apiVersion
   where  shop/templates/d.yaml:2: apiVersion
   where  shop/templates/e.yaml:2: apiVersion
   value  tls is set to true by --set
   fix    push a:1

2. Deployment/g: another
`);
  });

  test('of several containers with one complaint are told as one', () => {
    const of = (container: string, noProgressMs?: number) => {
      const cause = { outlook: 'open', code: 'container-held', container, reason: 'bad unit', noProgressMs } as const;
      return { ...faultOf('web', { fixes: ['web:1'] }), code: cause.code, cause };
    };
    const all = [of('app', 5_000), of('reload')];
    expect(errorText(failed('INSTALLATION FAILED: x', all))).toContain(
      'INSTALLATION FAILED: Deployment/web: containers app, reload: bad unit (no progress for 5 s) [container-held]\n  object shop/templates/web.yaml:1\n  fix    push web:1\n',
    );
  });

  test('are ten at most', () => {
    const many = Array.from({ length: 12 }, (_, index) => faultOf(`w${index}`, { problem: `no such tag: ${index}` }));
    const text = errorText(failed('INSTALLATION FAILED: x', many));
    expect(text).toContain('\n10. Deployment/w9: no such tag: 9\n');
    expect(text).toContain('\n\n… 2 more; --report FILE keeps them all\n\n');
    expect(text).not.toContain('w10');
  });
});

test('a field of another object is told with it', () => {
  const written = 'URL: {{ .Values.url }}';
  const place = { ...fieldIn('c', ['data', 'URL'], 5, { written }), object: id('ConfigMap', 'settings') };
  expect(errorText(failed('x', [faultOf('web', { problem: 'no host db', places: [place] })]))).toContain(
    '\n  where  shop/templates/c.yaml:5: URL: {{ .Values.url }} (ConfigMap/settings)\n',
  );
});

test('what a check beforehand refused: nothing was changed, and the way past it', () => {
  const details = {
    release: 'r',
    refused: [],
    command: 'INSTALLATION FAILED',
    problems: [faultOf('web', { problem: 'port: Invalid value: 0' })],
  };
  const message = `INSTALLATION FAILED: the API server would refuse an object, so nothing was changed:\n  Deployment/web in default: x`;
  expect(errorText(new TshelmError('preflight-refused', { message, details }))).toBe(
    'Error: INSTALLATION FAILED: Deployment/web: port: Invalid value: 0\n  object shop/templates/web.yaml:1\n\nnothing was changed; --preflight=never skips this check\n',
  );
});

test('of several releases each failure is told as if it were the only one, below its name', () => {
  const web = faultOf('web', { problem: 'no such tag', said: said('web', 'no such tag'), fixes: ['web:8'] });
  const errors = {
    'shop/web': failed(said('web', 'no such tag'), [web]),
    'shop/db': new TshelmError('failed', { message: 'no space left' }),
  };
  const message = `2 of 3 releases failed, 1 left out:\n  shop/web: ${said('web', 'no such tag')}\n  shop/db: no space left\n  shop/x: left out (needs shop/web)`;
  const failure = new TshelmError('stack-failed', {
    message,
    details: { failed: Object.keys(errors), skipped: ['shop/x'], errors },
  });
  expect(errorText(failure)).toBe(`Error: 2 of 3 releases failed, 1 left out:
  shop/web: Deployment/web: no such tag
      object shop/templates/web.yaml:1
      fix    push web:8

    Helm's error: resource Deployment/default/web not ready. status: Failed

  shop/db: no space left
  shop/x: left out (needs shop/web)
`);
});
