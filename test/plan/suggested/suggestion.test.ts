import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggestOrder } from '../../../src/actions/suggest-order.ts';
import { parseManifests } from '../../../src/manifest/parse.ts';
import { ObjectIndex } from '../../../src/plan/derived/object-index.ts';
import { levelsOf } from '../../../src/plan/graph.ts';
import { type Part, suggestionOf } from '../../../src/plan/suggested/suggestion.ts';
import type { Evidence } from '../../../src/plan/suggested/types.ts';
import { chartOf } from '../charts.ts';

const service = (name: string): string =>
  `---\napiVersion: v1\nkind: Service\nmetadata: {name: "{{ .Release.Name }}-${name}"}\nspec: {selector: {app: ${name}}}\n`;
const workload = (name: string, spec: string, kind = 'Deployment'): string =>
  `---\napiVersion: ${kind === 'Job' ? 'batch/v1' : 'apps/v1'}\nkind: ${kind}\nmetadata: {name: "{{ .Release.Name }}-${name}"}\nspec:\n  template:\n    metadata: {labels: {app: ${name}}}\n    spec:\n${spec}`;
const env = (name: string, value: string, image = 'example.com/web:1'): string =>
  `      containers:\n      - name: main\n        image: ${image}\n        env:\n        - {name: ${name}, value: "${value}"}\n`;
const idle = (image: string): string => `      containers: [{name: main, image: ${image}}]\n`;
const host = (name: string): string => `{{ .Release.Name }}-${name}`;

async function suggested(files: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const chart = await chartOf({ 'Chart.yaml': 'name: shop', ...files });
  const { text } = await suggestOrder(chart, new Map(), {
    name: 'release-name',
    namespace: 'default',
    now: () => new Date(0),
  });
  return text.trimEnd().split('\n');
}

test('a host in a variable, with the line of the template', async () => {
  const lines = await suggested({
    'templates/all.yaml':
      service('db') + workload('db', idle('postgres:17'), 'StatefulSet') + workload('web', env('DB_HOST', host('db'))),
  });
  expect(lines).toEqual([
    'derive: true',
    'resources:',
    '  # Deployment/release-name-web names release-name-db in env DB_HOST of container main (shop/templates/all.yaml:27)',
    "  - select: {kind: Deployment, name: '*web', chart: '.'}",
    '    dependsOn: [db]',
    "  - select: {kind: StatefulSet, name: '*db', chart: '.'}",
    '    group: db',
  ]);
});

test('a host that a value says is found there, and not where a loop and a helper pass it on', async () => {
  const helpers = `{{ define "render" }}
{{ tpl .text .context }}
{{ end }}
{{ define "own" }}
own: tcp://{{ .name }}-db:1
{{ end }}
`;
  const config = `---
apiVersion: v1
kind: ConfigMap
metadata: {name: conf}
data:
  {{- range $name, $text := .Values.files }}
  {{ $name }}: |
    {{- include "render" (dict "text" $text "context" $) | nindent 4 }}
  {{- end }}
  own.conf: |
    {{- include "own" (dict "name" .Release.Name) | nindent 4 }}
  loop.conf: |
    {{- range .Values.ports }}
    tcp://{{ $.Release.Name }}-db:{{ . }}
    {{- end }}
`;
  const mounted = `      containers: [{name: main, image: web}]\n      volumes: [{name: conf, configMap: {name: conf}}]\n`;
  const lines = await suggested({
    'values.yaml': 'ports: [5432]\nfiles:\n  a.conf: "db = tcp://{{ .Release.Name }}-db:5432"\n',
    'templates/_helpers.tpl': helpers,
    'templates/config.yaml': config,
    'templates/all.yaml': service('db') + workload('db', idle('cache:1'), 'StatefulSet') + workload('web', mounted),
  });
  const places = lines.flatMap(
    (line) => /names release-name-db in (.*) of ConfigMap conf \((.*)\)/.exec(line)?.slice(1).join(' ') ?? [],
  );
  expect(places).toEqual([
    'a.conf shop/values.yaml:3',
    'own.conf shop/templates/_helpers.tpl:5',
    'loop.conf shop/templates/config.yaml:14',
  ]);
});

test('databases before migrations, and migrations before servers of the same image', async () => {
  const lines = await suggested({
    'templates/all.yaml':
      workload('db', idle('docker.io/library/postgres:17'), 'StatefulSet') +
      workload('migrate', idle('example.com/web:1'), 'Job') +
      workload('web', idle('example.com/web:2')),
  });
  expect(lines.filter((line) => !line.includes('#'))).toEqual([
    'derive: true',
    'resources:',
    "  - select: {kind: Job, name: '*migrate', chart: '.'}",
    '    group: migrate',
    '    dependsOn: [db]',
    "  - select: {kind: StatefulSet, name: '*db', chart: '.'}",
    '    group: db',
    "  - select: {kind: Deployment, name: '*web', chart: '.'}",
    '    dependsOn: [migrate]',
  ]);
});

test('a migration with a client of the database is none that the database waits for', async () => {
  const lines = await suggested({
    'templates/all.yaml':
      service('db') +
      workload('db', idle('postgres:17'), 'StatefulSet') +
      workload('migrate', env('PGHOST', host('db'), 'postgres:17'), 'Job'),
  });
  expect(lines.filter((line) => line.includes('dependsOn') || line.includes('Not chosen'))).toEqual([
    '    dependsOn: [db]',
  ]);
});

test('subcharts wait for subcharts, and the chart around them for theirs; not the other way round', async () => {
  const subchart = (name: string, content: string) => ({
    [`charts/${name}/Chart.yaml`]: `name: ${name}`,
    [`charts/${name}/templates/all.yaml`]: service(name) + content,
  });
  const lines = await suggested({
    'Chart.yaml': 'name: shop\ndependencies: [{name: api, version: 1.0.0}, {name: db, version: 1.0.0}]',
    ...subchart('db', workload('db', env('WEB_URL', `http://${host('web')}/`))),
    ...subchart('api', workload('api', env('DB_URL', `postgres://${host('db')}/x`))),
    'templates/all.yaml': service('web') + workload('web', env('API', `${host('api')}:80`)),
  });
  expect(lines.filter((line) => !line.startsWith('  #'))).toEqual([
    'derive: true',
    'resources:',
    "  - select: {kind: Deployment, name: '*web', chart: '.'}",
    '    dependsOn: {charts: [api]}',
    'charts:',
    '  - chart: api',
    '    dependsOn: [db]',
    '# Not possible: a subchart cannot wait for single resources of the chart around it, and a declared order stays:',
    '#   Deployment/release-name-db names release-name-web in env WEB_URL of container main (shop/charts/db/templates/all.yaml:18)',
  ]);
});

test('two that name each other are shown and not chosen, unless an init container waits', async () => {
  const both = (spec: string): Readonly<Record<string, string>> => ({
    'templates/all.yaml':
      service('a') +
      service('b') +
      workload('a', env('B_HOST', host('b'))) +
      workload('b', env('A_HOST', host('a')) + spec),
  });
  const shown = await suggested(both(''));
  expect(shown.slice(0, 2)).toEqual(['derive: true', '# Not chosen, because these name each other:']);
  expect(shown).toHaveLength(4);
  const waiting = await suggested(
    both(`      initContainers: [{name: wait, image: busybox, command: [sh, -c, "nc -z ${host('a')} 80"]}]\n`),
  );
  expect(waiting).toContain('    dependsOn: [a]');
});

/** Evidence between the workloads of a chart with two levels of subcharts. */
const sources = ['', 'charts/a/', 'charts/b/', 'charts/a/charts/c/', 'charts/a/charts/d/'];
const { all } = new ObjectIndex(
  sources.flatMap((path, index) =>
    [1, 2].flatMap((number) =>
      parseManifests(
        `# Source: shop/${path}templates/x.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: w${index}${number}}\n`,
      ),
    ),
  ),
);
const item = fc.constantFrom(...all);
const evidence: fc.Arbitrary<Evidence> = fc
  .record({ user: item, needed: item, isWaitedFor: fc.boolean() })
  .filter(({ user, needed }) => user !== needed)
  .map((one) => ({ ...one, holder: one.user, path: [], word: '', text: '' }));
const key = (part: Part): string => (part.kind === 'subchart' ? `chart ${part.name}` : part.item.id.name);

test('what is chosen never waits for itself, and nothing is lost', () => {
  fc.assert(
    fc.property(fc.array(evidence, { maxLength: 40 }), (found) => {
      const { chosen, mutual, impossible } = suggestionOf(found);
      for (const chart of new Set(chosen.map((edge) => edge.chart))) {
        const edges = chosen.filter((edge) => edge.chart === chart);
        const ids = new Set(edges.flatMap(({ from, to }) => [key(from), key(to)]));
        const nodes = [...ids].map((id) => ({
          id,
          after: edges.filter(({ from }) => key(from) === id).map(({ to }) => key(to)),
        }));
        expect(levelsOf(nodes).cycles).toEqual([]);
      }
      const told = [...chosen, ...mutual].flatMap((edge) => edge.evidence).length + impossible.length;
      expect(told).toBe(found.length);
    }),
  );
});

test('a ring of 400 workloads takes seconds and not minutes', async () => {
  const names = Array.from({ length: 400 }, (_, index) => `w${index}`);
  const ring = names.map((name, index) => service(name) + workload(name, env('HOST', host(names.at(index - 1) ?? ''))));
  const lines = await suggested({ 'templates/all.yaml': ring.join('') });
  expect(lines.filter((line) => line.includes(' names '))).toHaveLength(400);
});

test('the host of a pod means its StatefulSet, and that of the own pod nobody', async () => {
  const member = (name: string, value: string) =>
    workload(name, env('PRIMARY_HOST', value), 'StatefulSet').replace(`{app: ${name}}`, '{app: db}');
  const lines = await suggested({
    'templates/all.yaml':
      service('db') +
      member('config', `$(POD_NAME).${host('db')}.default.svc`) +
      member('shard', `${host('config')}-0.${host('db')}.$(MY_NAMESPACE).svc`),
  });
  expect(lines).toEqual([
    'derive: true',
    'resources:',
    '  # StatefulSet/release-name-shard names release-name-db.$(MY_NAMESPACE) in env PRIMARY_HOST of container main (shop/templates/all.yaml:31)',
    "  - select: {kind: StatefulSet, name: '*shard', chart: '.'}",
    '    dependsOn: [config]',
    "  - select: {kind: StatefulSet, name: '*config', chart: '.'}",
    '    group: config',
  ]);
});

const plain = (name: string, labels: string, host: string): string =>
  `---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: "${name}", labels: {${labels}}}\nspec:\n  template:\n    metadata: {labels: {app: "${name}"}}\n    spec:\n${env('API_HOST', host)}---\napiVersion: v1\nkind: Service\nmetadata: {name: "${name}"}\nspec: {selector: {app: "${name}"}}\n`;
const ruleLines = (lines: readonly string[]) => lines.filter((line) => !line.includes(' names '));

test('a workload called like the release is selected by a label that the others lack', async () => {
  const lines = await suggested({
    'templates/all.yaml':
      plain(
        '{{ .Release.Name }}',
        'app.kubernetes.io/name: shop, tier: web, of: "{{ .Release.Name }}"',
        host('worker'),
      ) + plain(host('worker'), 'app.kubernetes.io/name: shop, tier: worker', 'elsewhere'),
  });
  expect(ruleLines(lines)).toEqual([
    'derive: true',
    'resources:',
    "  - select: {kind: Deployment, labels: {tier: web}, chart: '.'}",
    '    dependsOn: [worker]',
    "  - select: {kind: Deployment, name: '*worker', chart: '.'}",
    '    group: worker',
  ]);
});

test('where no label tells it from the others, the file says that it is for one release', async () => {
  const lines = await suggested({
    'templates/all.yaml':
      plain('{{ .Release.Name }}', '', host('worker')) +
      plain(host('worker'), '', 'x-{{ .Release.Name }}-db') +
      plain('x-{{ .Release.Name }}-db', '', 'elsewhere'),
  });
  expect(ruleLines(lines)).toEqual([
    'derive: true',
    'resources:',
    '  # this rule fits only a release of the name release-name',
    "  - select: {kind: Deployment, name: release-name, chart: '.'}",
    '    dependsOn: [worker]',
    "  - select: {kind: Deployment, name: '*worker', chart: '.'}",
    '    group: worker',
    '    dependsOn: [x-release-name-db]',
    "  - select: {kind: Deployment, name: 'x-*-db', chart: '.'}",
    '    group: x-release-name-db',
  ]);
});
