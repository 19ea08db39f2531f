import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readJsonDocument } from '../../../src/chart/schema/json-document.ts';
import { validateAgainstSchema } from '../../../src/chart/schema/validate.ts';
import { nameAndCharts } from '../../../src/cli/commands/check.ts';
import type { GoMap } from '../../../src/go/value.ts';
import { tshelm } from '../harness.ts';

const repository = mkdtempSync(join(tmpdir(), 'tshelm-check-'));
afterAll(() => rmSync(repository, { recursive: true, force: true }));

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: {{ .Values.replicas }}
  replica: 3
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
        - name: app
          image: {{ .Values.image | quote }}
`;
const service = `apiVersion: v1
kind: Service
metadata: {name: web}
spec:
  selector: {app: "<b>::error::@all\`"}
  ports: [{port: 80}]
`;
const fine = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: fine}\ndata: {a: b}\n';

function chartOf(name: string, files: Readonly<Record<string, string>>): string {
  const chart = join(repository, 'charts', name);
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: shop\nversion: 0.1.0\n');
  for (const [file, text] of Object.entries(files)) writeFileSync(join(chart, file), text);
  return chart;
}

const chart = chartOf('my shop', {
  'values.yaml': 'image: web:1\nreplicas: two\n',
  'templates/web.yaml': deployment,
  'templates/service.yaml': service,
  'templates/fine.yaml': fine,
});
const broken = chartOf('broken', { 'templates/a.yaml': 'a: {{ .Values.a.b }}\n' });
const env = { GITHUB_WORKSPACE: repository };
const checked = async (...words: string[]) => tshelm(['check', ...words], { env });
const jsonOf = async (...words: string[]) => JSON.parse((await checked(...words)).stdout);

/** What is wrong with a document; '' where it is as its schema says. */
const wrongIn = (text: string, schema: Uint8Array): Promise<string> =>
  validateAgainstSchema(schema, readJsonDocument(text) as GoMap, { notify: () => {}, download: undefined });

const sarifSchema = readFileSync(
  createRequire(import.meta.url).resolve('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json'),
);

test.each([
  ['a chart', [chart]],
  ['a chart that does not render', [broken]],
  ['a chart with no fault', [chart, '--set', 'replicas=1', '--fail-on', 'never']],
])('SARIF is as its schema says: %s', async (_what, words) => {
  const { stdout } = await checked(...words, '-o', 'sarif');
  expect(await wrongIn(stdout, sarifSchema)).toBe('');
  expect(await wrongIn(stdout.replaceAll('"startLine":', '"startLine":-'), sarifSchema)).not.toBe('');
});

test('SARIF: a result is at the line to change, the others that take part are related', async () => {
  const [run] = (await jsonOf(chart, '-o', 'sarif')).runs;
  const typed = run.results.find(({ ruleId }: { ruleId: string }) => ruleId === 'field-type');
  const { artifactLocation, region } = typed.locations[0].physicalLocation;
  expect(run.tool.driver.rules[typed.ruleIndex]).toMatchObject({
    id: 'field-type',
    help: { text: expect.stringContaining('.') },
  });
  expect(artifactLocation.uri).toBe('charts/my%20shop/values.yaml');
  expect(region.startLine).toBe(2);
  expect(typed.relatedLocations.map((one: typeof typed) => one.physicalLocation.region.startLine)).toEqual([6]);
});

test('fingerprints stay when lines above come, and differ from each other', async () => {
  const prints = async (): Promise<readonly string[]> =>
    (await jsonOf(chart, '-o', 'gitlab')).map(({ fingerprint }: { fingerprint: string }) => fingerprint);
  const before = await prints();
  const file = join(chart, 'templates/web.yaml');
  writeFileSync(file, `# one more line\n${deployment}`);
  const after = await prints();
  writeFileSync(file, deployment);
  expect(after).toEqual(before);
  expect(new Set(before).size).toBe(before.length);
});

test('GitLab gets the severity and the line', async () => {
  const findings = await jsonOf(chart, '-o', 'gitlab');
  expect(findings).toContainEqual(
    expect.objectContaining({
      check_name: 'field-unknown',
      severity: 'major',
      location: { path: 'charts/my shop/templates/web.yaml', lines: { begin: 7 } },
    }),
  );
});

test('GitHub gets a command for each finding, and what a chart says begins none', async () => {
  const { stdout } = await checked(chart, '-o', 'github');
  const lines = stdout.trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines[1]).toMatch(/^::error file=charts\/my shop\/values\.yaml,line=2,title=tshelm check%3A field-type::/);
  for (const line of lines) expect(line).toMatch(/^::(?:error|warning|notice) file=/);
});

test('JUnit has a case for each object and one for the chart; what does not fail is told', async () => {
  const { stdout } = await checked(chart, '-o', 'junit');
  expect(stdout).toContain('tests="4" failures="2"');
  expect(stdout).toMatch(/<testcase name="ConfigMap\/fine"[^>]*\/>/);
  const mild = await checked(chart, '-o', 'junit', '--fail-on', 'never');
  expect(mild.stdout).toContain('tests="4" failures="0"');
  expect(mild.stdout).toMatch(/<testcase name="Service\/web"[^>]*><system-out>error: /);
  expect((await checked(broken, '-o', 'junit')).stdout).toMatch(/<testcase name="chart"[^>]*><failure /);
});

test('Markdown shows what a chart says as text', async () => {
  const { stdout } = await checked(chart, '-o', 'markdown');
  expect(stdout).toContain('### tshelm check: 3 errors, 1 warning');
  expect(stdout).toContain('<code>charts/my shop/templates/web.yaml&#58;7</code>');
  expect(stdout).not.toMatch(/<b>|@all/);
});

test('JSON is as docs/check.schema.json says, each finding as docs/problem.schema.json', async () => {
  const schema = readFileSync('docs/check.schema.json');
  const { stdout } = await checked(chart, broken, '-o', 'json');
  expect(await wrongIn(stdout, schema)).toBe('');
  expect(await wrongIn(stdout.replace('"error"', '"fatal"'), schema)).not.toBe('');
  const problem = readFileSync('docs/problem.schema.json');
  const findings = JSON.parse(stdout).charts.flatMap((one: { findings: readonly object[] }) => one.findings);
  expect(findings.length).toBeGreaterThan(3);
  for (const finding of findings) expect(await wrongIn(JSON.stringify(finding), problem)).toBe('');
});

test.each([
  ['an error', [chart], 2],
  ['a chart that does not render', [broken, chart], 1],
  ['the same where nothing may fail', [broken, '--fail-on', 'never'], 1],
  ['nothing to complain of', [chart, '--fail-on', 'never'], 0],
])('exit code of %s', async (_what, words, code) => {
  expect((await checked(...words, '-o', 'sarif')).code).toBe(code);
});

test.each(['table', 'json', 'sarif', 'junit', 'github', 'gitlab', 'markdown'])('%s shows no secret', async (output) => {
  const secret = 'p<w"d&1|x';
  const leaking = chartOf('leaking', {
    'templates/a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n{{ .Values.password | quote }}: 1\n',
  });
  const values = join(repository, 'secret.yaml');
  writeFileSync(values, `password: '${secret}'\n`);
  const { stdout, stderr } = await checked(leaking, '-f', values, '-o', output);
  expect(stdout).toContain(output === 'markdown' ? '&#42;&#42;&#42;' : '***');
  for (const form of [secret, 'p<w', 'p&lt;w', 'p&#60;w', 'p\\u003cw']) expect(stdout + stderr).not.toContain(form);
});

test('what holds for one version alone names it', async () => {
  const old = chartOf('old', {
    'templates/a.yaml':
      '{{ if semverCompare "<1.36-0" .Capabilities.KubeVersion.Version }}\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndatta: {}\n{{ end }}\n',
  });
  const { stdout } = await checked(old, '--kube-version', '1.34,1.37');
  expect(stdout).toMatch(/field-unknown\] \(Kubernetes 1\.34\)$/m);
  const { charts } = await jsonOf(old, '--kube-version', '1.34,1.37', '-o', 'json');
  expect(charts[0].findings[0].versions).toEqual(['1.34']);
});

test('stack check names the release, its line, and the file of its values', async () => {
  const file = join(repository, 'helmfile.yaml');
  writeFileSync(join(repository, 'own.yaml'), 'image: web:2\nreplicas: many\n');
  writeFileSync(
    file,
    'releases:\n  - name: a\n    chart: ./charts/my shop\n    values: [{replicas: 1}]\n' +
      '  - name: b\n    chart: ./charts/my shop\n    values: [own.yaml]\n  - name: c\n    chart: ./charts/broken\n',
  );
  const { code, stdout } = await tshelm(['stack', 'check', '-f', file, '-o', 'json'], { env });
  const { charts } = JSON.parse(stdout);
  expect(code).toBe(1);
  expect(charts.map(({ release }: { release: { id: string; at: string } }) => release.id)).toEqual(['a', 'b', 'c']);
  expect(charts[1].release.at).toMatch(/helmfile\.yaml:5$/);
  expect(charts[0].findings.map((one: { code: string }) => one.code)).not.toContain('field-type');
  const typed = charts[1].findings.find((one: { code: string }) => one.code === 'field-type');
  expect(typed.places[0].values).toMatchObject([{ file: join(repository, 'own.yaml'), line: 2 }]);
  expect(charts[2].isRendered).toBe(false);
});

test('stack check names files from the working folder', async () => {
  writeFileSync(join(repository, 'far.yaml'), 'image: web:2\nreplicas: many\n');
  const state = 'releases:\n  - name: b\n    chart: ./charts/my shop\n    values: [far.yaml]\n';
  writeFileSync(join(repository, 'near.yaml'), state);
  const { stdout } = await tshelm(['stack', 'check', '-f', join(repository, 'near.yaml')], { env, cwd: repository });
  expect(stdout).toContain('release b (near.yaml:2): charts/my shop (');
  expect(stdout).toContain('where  charts/my shop/templates/web.yaml:6:');
  expect(stdout).toContain('replicas is set to "many" in far.yaml:2\n');
});

test('stack check judges by the CRDs and policies that are given', async () => {
  const custom = 'apiVersion: example.com/v1\nkind: Offer\nmetadata: {name: a}\nspec: {prise: 1}\n';
  chartOf('offers', { 'templates/offer.yaml': custom, 'templates/fine.yaml': fine });
  const schema = '{type: object, properties: {spec: {type: object, properties: {price: {type: integer}}}}}';
  const crds = join(repository, 'crd.yaml');
  writeFileSync(
    crds,
    `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: offers.example.com}\nspec:\n  group: example.com\n  scope: Namespaced\n  names: {kind: Offer, plural: offers, singular: offer, listKind: OfferList}\n  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: ${schema}}}]\n`,
  );
  const policies = join(repository, 'policies.yaml');
  writeFileSync(
    policies,
    'apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicy\nmetadata: {name: p}\nspec:\n  matchConstraints:\n    resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]\n  validations: [{expression: "object.metadata.name != \'fine\'"}]\n' +
      '---\napiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingAdmissionPolicyBinding\nmetadata: {name: p}\nspec: {policyName: p, validationActions: [Deny]}\n',
  );
  const file = join(repository, 'offers.yaml');
  writeFileSync(file, 'releases:\n  - name: a\n    chart: ./charts/offers\n');
  const line = ['stack', 'check', '-f', file, '--crds', crds, '--policies', policies, '-o', 'json'];
  const [{ findings }] = JSON.parse((await tshelm(line, { env })).stdout).charts;
  expect(findings.map((one: { code: string }) => one.code).sort()).toEqual(['field-unknown', 'policy-denied']);
  const unknown = findings.find((one: { code: string }) => one.code === 'field-unknown');
  expect(unknown.remedies).toMatchObject([{ kind: 'use-name', name: 'price', instead: 'prise' }]);
});

test('a secret that is called as the chart hides no path', async () => {
  const secret =
    'apiVersion: v1\nkind: Secret\nmetadata: {name: a}\ntypo: 1\nstringData: {p: {{ .Values.password }}}\n';
  const own = chartOf('own', { 'values.yaml': 'password: shop\n', 'templates/a.yaml': secret });
  const { stdout } = await checked(own);
  expect(stdout).toContain(join(own, 'templates/a.yaml:4'));
});

test.each([
  ['in the list of values', 'values: [a.yaml]', '      - image: x\n        replicas: two\n', 8],
  ['by set, over the list', 'values: [a.yaml, {replicas: three}]', '', 8],
])('a value of a stack has its line in the state file: %s', async (_where, inline, lines, line) => {
  const file = join(repository, 'inline.yaml');
  const values = lines === '' ? `    ${inline}\n` : `    values:\n${lines}`;
  const set = lines === '' ? '    set:\n      - name: replicas\n        value: two\n' : '';
  writeFileSync(join(repository, 'a.yaml'), 'replicas: 1\n');
  writeFileSync(
    file,
    `releases:\n  - name: first\n    chart: ./charts/my shop\n    values: [{replicas: 1}]\n  - name: a\n${values}${set}    chart: ./charts/my shop\n`,
  );
  const { stdout } = await tshelm(['stack', 'check', '-f', file, '-o', 'json'], { env });
  const found = JSON.parse(stdout).charts[1].findings.find((one: { code: string }) => one.code === 'field-type');
  expect(found.places[0].values).toMatchObject([{ file, line }]);
});

test.each([
  ['an unknown field', deployment],
  ['a type', deployment.replace(/ {2}replica: 3\n/, '')],
  ['a port twice', service.replace('[{port: 80}]', '[{port: 80}, {port: 80}]')],
  ['a name', fine.replace('name: fine', 'name: Not_fine')],
  ['a quantity', deployment.replace(/ {2}repli.*\n/g, '').concat('          resources: {limits: {memory: 512MB}}\n')],
  ['a selector', deployment.replace(/ {2}repli.*\n/g, '').replace('labels: {app: web}', 'labels: {app: wob}')],
])('install tells what it is refused as check does, with its places and the way out: %s', async (what, template) => {
  const values = 'replicas: many\nimage: web:1\n';
  const chart = chartOf(what.replaceAll(' ', '-'), { 'values.yaml': values, 'templates/web.yaml': template });
  const { stdout } = await tshelm(['check', 'web', chart], { env });
  const { code, stderr } = await tshelm(
    ['install', 'web', chart, '--sandbox-dir', join(chart, '..', '..', `sandbox-${what}`)],
    { env },
  );
  expect(code).toBe(1);
  const [, text = ''] = /^Error: INSTALLATION FAILED: (?:\d errors\n\n)?(.*?)\n*Helm's error/ms.exec(stderr) ?? [];
  const lines = text.split('\n').map((line) => line.replace(/^\d\. /, '').trim());
  const told = lines.filter((line) => line !== '');
  expect(told.length, stderr).toBeGreaterThan(1);
  const checkLines = stdout.split('\n').map((line) => line.replace(/^error/, '').trim());
  expect(told.filter((line) => !checkLines.includes(line))).toEqual([]);
});

test.skipIf(process.platform === 'win32')('links to a device are not read', async () => {
  const endless = chartOf('endless', { 'templates/fine.yaml': fine });
  const policies = join(repository, 'policies');
  mkdirSync(policies);
  symlinkSync('/dev/zero', join(policies, 'a.yaml'));
  expect(await checked(endless, '--policies', policies)).toMatchObject({ code: 0 });
  symlinkSync('/dev/zero', join(endless, '.tshelmcheck'));
  expect((await checked(endless)).stdout).toContain('irregular file');
});

test.each([
  ['fild-unknown # misspelt', 'there is no problem "fild-unknown"; did you mean field-unknown?'],
  ['nothing-like-it # no code', 'there is no problem "nothing-like-it"; `tshelm explain problems` lists all codes'],
  ['field-unknown', 'is not `CODE [KIND/NAME] # REASON`'],
])('a line of the ignore file that leaves nothing out is an error: %s', async (line, words) => {
  const chart = chartOf('ignored', { 'templates/fine.yaml': fine, '.tshelmcheck': `# known\n${line}\n` });
  const { code, stderr } = await checked(chart);
  expect(code).toBe(1);
  expect(stderr).toContain('.tshelmcheck:2: ');
  expect(stderr).toContain(words);
});

test('what a chart names is no finding of its own, and no command of a terminal', async () => {
  const template = fine.replace('name: fine', 'name: "a\\nerror    Deployment/b: gone\\e[2J"');
  const { stdout } = await checked(chartOf('lines', { 'templates/fine.yaml': template }));
  expect(stdout).toContain('error    Deployment/b: gone');
  expect(stdout).not.toMatch(/^error {4}Deployment\/b/m);
  expect(stdout).not.toContain('\x1b');
});

test('versions of Kubernetes that are not known are named', async () => {
  const chart = chartOf('versions', { 'templates/fine.yaml': fine });
  const { code, stderr } = await checked(chart, '--kube-version', '1.20,1.35,1.99');
  expect(code).toBe(0);
  expect(stderr.match(/(?<=Kubernetes )1\.\d+/g)).toEqual(['1.20', '1.99']);
});

test('an archive has no file of what to leave out beside it', async () => {
  await tshelm(['package', chartOf('packed', { 'templates/fine.yaml': fine }), '-d', repository]);
  expect(await checked(join(repository, 'shop-0.1.0.tgz'))).toMatchObject({ code: 0 });
});

test('check NAME CHART takes the first word for a name even where the folder of the chart is called so', () => {
  const cwd = join(repository, 'charts');
  chartOf('alone', { 'templates/a.yaml': fine });
  chartOf('other', { 'templates/a.yaml': fine });
  const read = (...words: string[]) => nameAndCharts(words, undefined, cwd);
  expect(read('alone', './alone')).toEqual({ name: 'alone', charts: ['./alone'] });
  expect(read('alone', join(cwd, 'alone'))).toEqual({ name: 'alone', charts: [join(cwd, 'alone')] });
  expect(read('alone', 'other')).toEqual({ name: 'release-name', charts: ['alone', 'other'] });
  expect(read('./alone', 'alone')).toEqual({ name: 'release-name', charts: ['./alone', 'alone'] });
  expect(read('web', 'alone', 'other')).toEqual({ name: 'web', charts: ['alone', 'other'] });
});

const ofShop = {
  'templates/a.yaml': fine.replace('fine', '{{ .Release.Name }}-web'),
  'templates/pod.yaml':
    'apiVersion: v1\nkind: Pod\nmetadata: {name: p, labels: {app: "{{ .Release.Name }}"}}\n' +
    'spec: {containers: [{name: a, image: b, envFrom: [{configMapRef: {name: NAME}}]}]}\n',
  'templates/service.yaml': `${service.split('  selector')[0]}  selector: {app: SELECTED}\n  ports: [{port: 80}]\n`,
};
interface Found {
  readonly remedies: readonly { readonly name: string }[];
}

const written = (name: string, selected: string) => ({
  ...ofShop,
  'templates/pod.yaml': ofShop['templates/pod.yaml'].replace('NAME', name),
  'templates/service.yaml': ofShop['templates/service.yaml'].replace('SELECTED', selected),
});

test.each([
  ['release-name', [], 'shop-web', 'shop', ['{{ .Release.Name }}-web', '{{ .Release.Name }}']],
  ['release-name', [], 'shop-wbe', 'shop', ['{{ .Release.Name }}-web', '{{ .Release.Name }}']],
  ['other', ['other'], 'shop-web', 'shop', ['{{ .Release.Name }}-web', '{{ .Release.Name }}']],
  ['shop', ['shop'], 'shop-wbe', 'shop', ['shop-web']],
  ['shop', ['shop'], 'shop-web', 'shop', []],
  ['release-name', [], 'unlike-any', '"{{ .Release.Name }}"', []],
] as const)('the chart’s name written out, release %s %s: %s, %s', async (_name, words, name, selected, meant) => {
  const where = chartOf('written', written(name, selected));
  const { charts } = await jsonOf(...words, where, '-o', 'json');
  const findings: readonly Found[] = charts[0].findings;
  expect(findings.flatMap(({ remedies }) => remedies.map(({ name }) => name))).toEqual(meant);
});
