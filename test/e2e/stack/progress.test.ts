import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { timedDeployment } from '../../stack/timed-deployment.ts';
import { auditOf } from '../support/audit.ts';
import { scratchDirectory } from '../support/charts.ts';
import { adminOf } from '../support/namespaces.ts';
import { tshelm } from '../support/programs.ts';

/** What a stack's events tell of its releases, with the API server's audit log as the witness. */
const directory = scratchDirectory();
const admin = adminOf('stack-progress');
const audit = auditOf(admin);
const { namespace } = admin;
const file = join(directory, 'helmfile.yaml');
const id = (name: string): string => `${namespace}/${name}`;

beforeAll(() => {
  mkdirSync(join(directory, 'chart/templates'), { recursive: true });
  writeFileSync(join(directory, 'chart/Chart.yaml'), 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  writeFileSync(join(directory, 'chart/templates/deployment.yaml'), timedDeployment('{{ .Values.pod | toJson }}'));
  const release = (name: string, pod: string, more = ''): string =>
    `  - {name: ${name}, namespace: ${namespace}, chart: ./chart, wait: true, values: [{pod: {e2e.tshelm.dev/${pod}}}]${more}}\n`;
  const releases = [
    release('web', 'ready-after: 1s', ', needs: [db]'),
    release('db', 'ready-after: 1s'),
    release('broken', 'fate: image-pull', ', timeout: 5'),
    release('after', 'ready-after: 1s', ', needs: [broken]'),
  ];
  writeFileSync(file, `releases:\n${releases.join('')}`);
});

interface Told {
  readonly type: string;
  readonly time: string;
  readonly id?: string;
  readonly criticalPath?: readonly { readonly id: string; readonly parts: readonly { readonly resource: string }[] }[];
}

test('events enclose what is sent; what is left out is told once its cause has failed, and never sent', async () => {
  audit.begin();
  const { code, stderr } = await tshelm.run(['stack', 'apply', '-f', file, '--progress=json']);
  expect(code).toBe(1);
  const events = stderr
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Told);
  const at = (type: string, name: string): number =>
    events.findIndex((event) => event.type === type && event.id === id(name));
  const timeOf = (type: string, name: string): number => Date.parse(events[at(type, name)]?.time ?? '');
  const writes = await audit.writes(({ userAgent, resource }) => userAgent === 'tshelm' && resource.startsWith('dep'));
  const sent = new Map(writes.map(({ name, at: sentAt }) => [name, sentAt]));
  expect([...sent.keys()].sort()).toEqual(['broken', 'db', 'web']);
  for (const [name, sentAt] of sent) {
    expect(sentAt).toBeGreaterThanOrEqual(timeOf('run-started', name));
    expect(sentAt).toBeLessThan(timeOf('run-finished', name));
  }
  expect(sent.get('web')).toBeGreaterThan(timeOf('run-finished', 'db'));
  expect(at('release-left-out', 'after')).toBeGreaterThan(at('run-finished', 'broken'));
  expect(events[0]).toMatchObject({ type: 'stack-started', command: 'apply' });
  const last = events.at(-1);
  expect(last).toMatchObject({ type: 'stack-finished', counts: { done: 2, failed: 1, leftOut: 1 } });
  const endedLast = events.findLast(({ type }) => type === 'run-finished')?.id;
  const path = endedLast === id('web') ? [id('db'), id('web')] : [id('broken')];
  expect(last?.criticalPath?.map((one) => one.id)).toEqual(path);
  expect(last?.criticalPath?.at(-1)?.parts.map(({ resource }) => `${namespace}/${resource.split('/')[1]}`)).toEqual(
    path.slice(-1),
  );
});

test('lines name their release, and the critical path says what was waited for', async () => {
  const { stderr } = await tshelm.run(['stack', 'destroy', '-f', file, '--progress=plain']);
  expect(stderr).toMatch(new RegExp(`s {2}${id('web')}: Deployment/web deleted`));
  expect(stderr).toMatch(/critical path: /);
});
