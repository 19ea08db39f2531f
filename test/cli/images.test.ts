import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadChart } from '../../src/chart/load.ts';
import { chartArchive } from '../../src/source/package/archive-writer.ts';
import { type FakeRegistry, fakeRegistry, sha256 } from '../source/oci/fake-registry.ts';
import { type Ran, tshelm } from './harness.ts';

let folder: string;
/** The chart's own registry, which asks for a password, and the registry of its images, which would take it. */
let charts: FakeRegistry;
let images: FakeRegistry;
const digest = sha256('an image');

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tshelm-images-'));
  charts = await fakeRegistry({
    first: (request, response) => {
      if (request.headers.authorization !== undefined) return false;
      response.writeHead(401, { 'www-authenticate': 'Basic realm="charts"' }).end();
      return true;
    },
  });
  images = await fakeRegistry();
  images.content.set('team/app:1', Buffer.from('an image'));
  write('web/Chart.yaml', 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  write('web/values.yaml', `image: ${images.host}/team/app:1\nside: ${images.host}/team/side@${digest}\n`);
  write(
    'web/templates/a.yaml',
    `apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
spec: {template: {spec: {initContainers: [{name: i, image: "{{ .Values.side }}"}], containers: [{name: c, image: "{{ .Values.image }}"}]}}}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: b}
spec: {jobTemplate: {spec: {template: {spec: {containers: [{name: c, image: "{{ .Values.image }}"}]}}}}}
`,
  );
  const archive = Buffer.from(await chartArchive(await loadChart(join(folder, 'web')), new Date(0)));
  charts.putChart('charts/web', '1.0.0', archive);
});
afterEach(() => rmSync(folder, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

const run = (line: string): Promise<Ran> =>
  tshelm(
    line
      .replaceAll('HERE', folder)
      .replace('OCI', `oci://${charts.host}/charts`)
      .replace('IMAGES', images.host)
      .split(' '),
    {
      env: { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config') },
    },
  );

const app = () => `${images.host}/team/app:1`;
const side = () => `${images.host}/team/side@${digest}`;

test('the images of a chart with its values, each once, as a list', async () => {
  const lines = [app(), side()].map((image) => `${image}\n`).join('');
  expect(await run('images HERE/web -o list')).toEqual({ code: 0, stdout: lines, stderr: '' });
  expect((await run('images HERE/web -o list --set image=nginx')).stdout.split('\n').sort()).toEqual([
    '',
    side(),
    'nginx',
  ]);
  expect(images.requests).toEqual([]);
});

test('who runs them, as a table and as JSON', async () => {
  const { stdout } = await run('images HERE/web -o json');
  expect(JSON.parse(stdout)).toEqual([
    { image: app(), usedBy: ['CronJob/b', 'Deployment/a'] },
    { image: side(), usedBy: ['Deployment/a'] },
  ]);
  expect((await run('images HERE/web')).stdout.split('\n')[1]?.split(/\s+\t/)).toEqual([
    app(),
    'CronJob/b, Deployment/a',
  ]);
});

test('the digests that they have now; what names its digest is not asked for', async () => {
  const { code, stdout } = await run('images HERE/web -o list --resolve --plain-http');
  expect([code, stdout]).toEqual([0, `${app()}@${digest}\n${side()}\n`]);
  expect(images.requests.map(({ method, url }) => `${method} ${url}`)).toContain('HEAD /v2/team/app/manifests/1');
  expect(images.requests.filter(({ url }) => url?.includes('side'))).toEqual([]);
});

test('an image that is not there is told of, and the others are listed', async () => {
  const { code, stdout, stderr } = await run(
    'images HERE/web -o list --resolve --plain-http --set side=IMAGES/team/gone:2',
  );
  expect([code, stdout]).toEqual([1, `${app()}@${digest}\n${images.host}/team/gone:2\n`]);
  expect(stderr).toBe(`warning: ${images.host}/team/gone:2: ${images.host}/team/gone:2: not found\n`);
});

test('the password of the chart’s registry is for no other', async () => {
  const line = 'OCI/web --plain-http --username me --password hunter22';
  expect((await run(`images ${line} -o list --resolve`)).stdout).toBe(`${app()}@${digest}\n${side()}\n`);
  expect(charts.requests.filter(({ headers }) => headers.authorization !== undefined)).not.toEqual([]);
  expect(images.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
  expect((await run(`pull ${line} --image-list`)).stdout).toBe(`${app()}\n${side()}\n`);
});

test('offline no registry is asked', async () => {
  const { code, stderr } = await run('images HERE/web --resolve --offline');
  expect([code, images.requests]).toEqual([1, []]);
  expect(stderr).toContain('cannot be downloaded while offline');
});

describe('--pin', () => {
  const deployment = (image: string): string => `apiVersion: apps/v1
kind: Deployment
metadata: {name: a, labels: {version: LABEL}}
spec: {template: {spec: {containers: [{name: c, image: "${image}"}]}}}
`;
  const repository = () => `repository: ${images.host}/team/app`;

  function chart(template: string, values: string, label = '"1"'): void {
    write('pin/Chart.yaml', 'apiVersion: v2\nname: pin\nversion: 1.0.0\nappVersion: "1"\n');
    write('pin/values.yaml', values);
    write('pin/templates/a.yaml', template.replace('LABEL', label));
  }

  /** The images of the chart when it is rendered with what --pin printed. */
  async function pinned(): Promise<readonly string[]> {
    const { code, stderr } = await run('images HERE/pin --pin --plain-http --out HERE/pins.yaml');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return (await run('images HERE/pin -o list -f HERE/pins.yaml')).stdout.trimEnd().split('\n');
  }

  test.each([
    ['one text', '{{ .Values.image }}', () => `image: ${app()}\n`, () => `${app()}@${digest}`],
    [
      'repository and tag',
      '{{ .Values.image.repository }}:{{ .Values.image.tag }}',
      () => `image:\n  ${repository()}\n  tag: 1\n`,
      () => `${app()}@${digest}`,
    ],
    [
      'the tag of the chart, where none is set',
      '{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}',
      () => `image:\n  ${repository()}\n  tag: ""\n`,
      () => `${app()}@${digest}`,
    ],
    [
      'registry, repository, tag and digest',
      '{{ include "image" (dict "root" .Values.image) }}',
      () => `image:\n  registry: ${images.host}\n  repository: team/app\n  tag: "1"\n  digest: ""\n`,
      () => `${images.host}/team/app@${digest}`,
    ],
    [
      'a digest that no values.yaml names',
      '{{ .Values.image.repository }}{{ with .Values.image.sha }}@sha256:{{ . }}{{ else }}:1{{ end }}',
      () => `image:\n  ${repository()}\n`,
      () => `${images.host}/team/app@${digest}`,
    ],
    [
      'an item of a list',
      '{{ (index .Values.all 1).image }}',
      () => `all: [{image: x}, {image: "${app()}"}]\n`,
      () => `${app()}@${digest}`,
    ],
    [
      'a template',
      '{{ tpl .Values.image . }}',
      () => `image: "${images.host}/team/app:{{ .Chart.AppVersion }}"\n`,
      () => `${app()}@${digest}`,
    ],
  ])('%s', async (_form, image, values, expected) => {
    chart(deployment(image.replaceAll('"', '\\"').replaceAll('\\"', '`')), values());
    write(
      'pin/templates/_helpers.tpl',
      `{{- define "image" -}}
{{- if .root.digest }}{{ printf "%s/%s@%s" .root.registry .root.repository .root.digest }}
{{- else }}{{ printf "%s/%s:%s" .root.registry .root.repository .root.tag }}{{ end -}}
{{- end -}}
`,
    );
    expect(await pinned()).toEqual([expected()]);
  });

  test('a subchart, a hook, and two images that share a tag', async () => {
    images.content.set('team/side:1', Buffer.from('another image'));
    chart(deployment('{{ .Values.image }}'), `image: ${app()}\n`);
    write('pin/charts/db/Chart.yaml', 'apiVersion: v2\nname: db\nversion: 1.0.0\n');
    write('pin/charts/db/values.yaml', `image: {${repository()}, tag: "1"}\nside: ${images.host}/team/side\n`);
    const job = (name: string, image: string): string =>
      `apiVersion: batch/v1
kind: Job
metadata: {name: ${name}, annotations: {helm.sh/hook: pre-install}}
spec: {template: {spec: {containers: [{name: c, image: "${image}:{{ .Values.image.tag }}"}]}}}
`;
    write('pin/charts/db/templates/job.yaml', job('one', '{{ .Values.image.repository }}'));
    expect(await pinned()).toEqual([`${app()}@${digest}`]);
    write('pin/charts/db/templates/other.yaml', job('two', '{{ .Values.side }}'));
    const { code, stdout, stderr } = await run('images HERE/pin --pin --plain-http');
    expect([code, stdout]).toEqual([1, `image: ${app()}@${digest}\n`]);
    expect(stderr.split('\n').map((line) => line.slice(0, line.indexOf(')') + 1))).toEqual([
      `warning: ${app()} (Deployment/a, Job/one)`,
      `warning: ${images.host}/team/side:1 (Job/two)`,
      '',
    ]);
  });

  test.each([
    ['no value', `${'HOST'}/team/app:1`, '"1"'],
    ['a value that a label shows', `${'HOST'}/team/app:{{ .Values.tag }}`, '{{ .Values.tag | quote }}'],
  ])('an image of %s is named and not guessed', async (_what, image, label) => {
    chart(deployment(image.replace('HOST', images.host)), 'tag: "1"\n', label);
    const { code, stdout, stderr } = await run('images HERE/pin --pin --plain-http');
    expect([code, stdout]).toEqual([1, '{}\n']);
    expect(stderr).toMatch(/^warning: \S+\/team\/app:1 \(Deployment\/a\) stays as it is/);
  });

  test('values of others go before, and a file needs --pin', async () => {
    chart(deployment('{{ .Values.image }}'), 'image: nginx\n');
    const { stdout } = await run(`images HERE/pin --pin --plain-http -o json --set image=${app()}`);
    expect(JSON.parse(stdout)).toEqual({ image: `${app()}@${digest}` });
    expect((await run('images HERE/pin --out HERE/pins.yaml')).stderr).toBe('Error: --out needs --pin\n');
    expect((await run('images HERE/pin --pin -o list')).code).toBe(1);
  });
});
