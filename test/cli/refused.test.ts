import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

let directory = '';
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'tshelm-refused-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

type Files = Readonly<Record<string, string>>;

function writeChart(files: Files): string {
  const all = { 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 0.1.0\n', ...files };
  for (const [name, text] of Object.entries(all)) {
    const path = join(directory, 'charts/web', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  return join(directory, 'charts/web');
}

/** What an install of the chart prints on standard error; `words` are added to the command line. */
async function toldOf(files: Files, words: readonly string[] = [], env: Files = {}): Promise<string> {
  const sandbox = join(directory, 'sandbox');
  const chart = writeChart(files);
  const ran = await tshelm(['install', 'r', chart, '--sandbox-dir', sandbox, ...words], { env });
  expect(ran.code).toBe(1);
  return ran.stderr;
}

const service = (port: string, name = 'web'): string =>
  `apiVersion: v1\nkind: Service\nmetadata:\n  name: ${name}\nspec:\n  ports:\n    - port: ${port}\n`;

describe('what was probably meant', () => {
  test.each([
    ['a value', '{{ .Values.servce.port }}', 'did you mean service instead of servce?'],
    ['a value below', '{{ .Values.service.prot.x }}', 'did you mean service.port instead of service.prot?'],
    ['a template', '{{ include "shop.prot" . }}', 'did you mean shop.port instead of shop.prot?'],
    ['a function', '{{ defualt 80 .Values.x }}', 'did you mean default instead of defualt?'],
  ])('%s', async (_what, port, hint) => {
    const files = {
      'values.yaml': 'service:\n  port: 80\n',
      'templates/_h.tpl': '{{ define "shop.port" }}80{{ end }}',
      'templates/service.yaml': service(port),
    };
    expect(await toldOf(files)).toContain(`${hint}\n`);
  });

  test('of a value in a subchart with the names that its parent gives', async () => {
    const files = {
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n',
      'charts/db/templates/a.yaml': service('{{ .Values.sevice.port.x }}'),
    };
    expect(await toldOf(files, ['--set', 'db.service.port=80'])).toContain(
      'did you mean db.service instead of db.sevice?\n',
    );
  });
});

test.each([
  [
    'a quote that is never closed',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: "web\ndata:\n  a: b\n',
    [
      '> 4 |   name: "web\n    |         ^',
      'a quote is opened here and never closed [yaml-quote-open]\n',
      'charts/web/templates/a.yaml:4\n',
    ],
  ],
  [
    'a text of several lines that leaves its block',
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: web\ndata:\n  conf: |\n{{ .Values.conf | indent 2 }}\n',
    [
      'Error: INSTALLATION FAILED: the value of conf is not indented far enough, so YAML ends its block early [block-left]\n',
      'charts/web/templates/a.yaml:7\n',
      '> 7 | {{ .Values.conf | indent 2 }}\n',
      '  which renders:\n\n',
      '>   |   listen 80;\n    |   ^',
      '  fix    write indent 4 instead of indent 2\n',
      "Helm's error (its line number counts in the rendered text): YAML parse error on shop/templates/a.yaml: ",
    ],
  ],
  [
    'a map that leaves its key in a list',
    'apiVersion: v1\nkind: Pod\nmetadata:\n  name: web\nspec:\n  containers:\n    - name: a\n      resources:\n      {{- toYaml .Values.resources | nindent 4 }}\n',
    [
      'Error: INSTALLATION FAILED: the value of resources is not indented far enough, so YAML ends its block early [block-left]\n',
      '  fix    write nindent 8 instead of nindent 4\n',
    ],
  ],
])('text that is no YAML: %s', async (_what, template, parts) => {
  const told = await toldOf({
    'templates/a.yaml': template,
    'values.yaml': 'conf: |-\n  listen 80;\n  x\nresources: {limits: {cpu: 1}}\n',
  });
  for (const part of parts) expect(told).toContain(part);
});

const configMap = (name: string, rest: string): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n${rest}`;

describe('a value that a template cannot work with', () => {
  const template = (expression: string): Files => ({
    'values.yaml': 'web: {tier: a}\ndb:\n  list: [1]\n  auth:\n',
    'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n',
    'charts/db/values.yaml': 'size: 1\nauth: {user: a}\n',
    'charts/db/templates/a.yaml': `a: ${expression}\n`,
  });

  test.each([
    [
      'is not set: what is above it, and what to add',
      '{{ .Values.auth.tls.name }}',
      [
        'FAILED: the value db.auth.tls is not set, so db.auth.tls.name cannot be read [value-missing]\n  where  ',
        '/charts/db/templates/a.yaml:1\n',
        `a: {{ .Values.auth.tls.name }}\n    |${' '.repeat(20)}^\n`,
        '  value  db.auth is set in DIR/charts/db/values.yaml:2\n',
        '  fix    set db.auth.tls.name with -f, with --set, or in values.yaml\n',
        "Helm's error:\n  shop/charts/db/templates/a.yaml:1:13\n",
      ],
    ],
    [
      'is not set, and default does not help',
      '{{ .Values.auth.tls.name | default "x" }}',
      ['  fix    write (.Values.auth.tls).name instead of .Values.auth.tls.name\n'],
    ],
    [
      'is no map: where it is set',
      '{{ .Values.size.max }}',
      [
        'the value db.size is not a map, so db.size.max cannot be read [value-not-a-map]\n',
        'value  db.size is set to 1 in DIR/charts/db/values.yaml:1\n',
      ],
    ],
    [
      'is no list: where the parent sets it',
      '{{ range .Values.size }}{{ end }}',
      [
        'the value db.size is neither a list nor a map [value-not-a-list]\n',
        'value  db.size is set to 1 in DIR/charts/db/values.yaml:1\n',
      ],
    ],
  ])('%s', async (_what, expression, parts) => {
    const told = await toldOf(template(expression));
    for (const part of parts) expect(told).toContain(part.replaceAll('DIR', join(directory, 'charts/web')));
  });
});

describe('objects that nothing can be made of', () => {
  const files = {
    'values.yaml': 'tier: 1\nservice:\n  other: {port: 1}\n  port: 80800\n',
    'templates/a.yaml': configMap('a', '  labels:\n    tier: {{ .Values.tier }}\n'),
    'templates/b.yaml': service('{{ .Values.service.port }}'),
    'templates/c.yaml': configMap('c', 'dta:\n  a: b\n'),
    'templates/d.yaml': configMap('d', 'data:\n  a: b\n'),
  };

  test('no request goes to a namespace that the release has nothing to do with', async () => {
    const told = await toldOf(files, ['--namespace', 'new', '--create-namespace', '--debug']);
    expect(told).toContain('2 errors, nothing was sent');
    expect(told).toMatch(/PATCH \/api\/v1\/namespaces\/new\/services\/web 404/);
    expect(told).not.toContain('/namespaces/default/');
  });

  test('all are told at once, with the lines that made them, and nothing is recorded', async () => {
    const told = await toldOf(files);
    expect(told).toMatch(
      /^Error: INSTALLATION FAILED: 3 errors, nothing was sent\n\n1\. ConfigMap\/a: metadata\.labels\.tier is /,
    );
    expect(told).toMatch(/\nHelm's error: unable to build kubernetes objects from release manifest: .*\n$/);
    expect(told).toMatch(/\n\d\. Service\/web: spec\.ports\[0\]\.port: Invalid value: 80800: /);
    expect(told).toMatch(/\n\d\. ConfigMap\/c: unknown field dta \[field-unknown\]\n/);
    expect(told).toContain('   fix    did you mean data instead of dta?\n');
    const web = join(directory, 'charts/web');
    expect(told).toContain(
      `   where  ${web}/templates/a.yaml:6: tier: {{ .Values.tier }}\n   value  tier is set to 1 in ${web}/values.yaml:1\n`,
    );
    expect(told).toContain(`.port }}\n   value  service.port is set to 80800 in ${web}/values.yaml:4\n`);
    expect(told).not.toContain('ConfigMap/d');
    const list = await tshelm(['list', '-a', '-q', '--sandbox-dir', join(directory, 'sandbox')]);
    expect(list.stdout).toBe('');
  });

  test('what the server refuses is told together with what it was not asked yet', async () => {
    const deployment =
      'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: e}\nspec:\n  replicas: {{ .Values.tier }}\n';
    const told = await toldOf({ 'templates/c.yaml': files['templates/c.yaml'], 'templates/e.yaml': deployment }, [
      '--set',
      'tier=a',
    ]);
    expect(told).toMatch(/^Error: INSTALLATION FAILED: 4 errors\n\n1\. ConfigMap\/c: unknown field dta/m);
    expect(told).toContain('2. Deployment/e: spec.replicas must be a number, not "a"');
    expect(told).toContain('replicas: {{ .Values.tier }}\n   value  tier is set to "a" by --set\n');
  });

  test('a part of a map in the values is told with its own line', async () => {
    const told = await toldOf({
      'values.yaml': '# of all\nlabels:\n  team: a\n  tier: 1\n',
      'templates/a.yaml': configMap('a', '  labels:\n    {{- toYaml .Values.labels | nindent 4 }}\n'),
    });
    expect(told).toMatch(/nindent 4 \}\}\n {2}value {2}labels\.tier is set to 1 in \S*\/values\.yaml:4\n/);
  });

  test('a kind of another version, and one that is misspelt', async () => {
    const of = (apiVersion: string, kind: string): string =>
      `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: x}\n`;
    const told = await toldOf({
      'templates/a.yaml': of('apps/v1beta1', 'Deployment'),
      'templates/b.yaml': of('apps/v1', 'DeamonSet'),
    });
    expect(told).toContain('fix    write "apps/v1" instead of "apps/v1beta1"\n');
    expect(told).toContain('did you mean DaemonSet instead of DeamonSet?\n');
  });
});

test('what cannot be changed in place is told with its old value and its new one', async () => {
  const job = (image: string): string =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: {name: seed}\nspec:\n  template:\n    spec:\n      restartPolicy: Never\n      containers:\n        - {name: a, image: "${image}"}\n`;
  const sandbox = ['--sandbox-dir', join(directory, 'sandbox')];
  await tshelm(['install', 'r', writeChart({ 'templates/a.yaml': job('seed:1') }), ...sandbox]);
  const { stderr } = await tshelm(['upgrade', 'r', writeChart({ 'templates/a.yaml': job('seed:2') }), ...sandbox]);
  expect(stderr).toContain('spec.template.spec.containers[0].image: "seed:1" -> "seed:2"\n');
});

test.each<[string, Files, readonly string[]]>([
  [
    'values.yaml',
    { 'values.yaml': 'a: 1\n b: 2\n' },
    [
      'FAILED: this line or one near it is indented too little',
      '  where  DIR/values.yaml:2\n',
      "Helm's error: cannot load values.yaml: ",
    ],
  ],
  [
    'values.yaml of a subchart',
    { 'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n', 'charts/db/values.yaml': 'a: 1\n b: 2\n' },
    [
      'FAILED: error unpacking subchart db in shop: this line or one near it is indented too little',
      '  where  DIR/charts/db/values.yaml:2\n',
    ],
  ],
  [
    'Chart.yaml',
    { 'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: "0.1.0\n' },
    ['FAILED: a quote is opened here and never closed [yaml-quote-open]\n', '  where  DIR/Chart.yaml:3\n'],
  ],
  [
    'an if that is never closed',
    { 'templates/a.yaml': '{{ range .a }}{{ end }}\n{{- if .Values.a }}\na: b\n' },
    ['  where  DIR/templates/a.yaml:2: {{- if .Values.a }}\n'],
  ],
  [
    'an argument of another type',
    { 'templates/a.yaml': 'a: {{ 5 | trunc 3 }}\n' },
    ['`toString` first [argument-type]\n', 'DIR/templates/a.yaml:1\n'],
  ],
  [
    'index into nothing',
    { 'templates/a.yaml': 'a: {{ index .Values.b 3 }}\n' },
    ['FAILED: the value b is not set [value-missing]\n'],
  ],
])('%s is told with its cause and place', async (_what, files, parts) => {
  const told = await toldOf(files);
  for (const part of parts) expect(told).toContain(part.replace('DIR', join(directory, 'charts/web')));
});

test('a kind that is not served is told with its group and the value that leaves it out', async () => {
  const kind = 'apiVersion: monitoring.example.com/v1\nkind: Meter\nmetadata: {name: a}\n';
  const told = await toldOf({
    'values.yaml': 'metrics:\n  enabled: true\n',
    'templates/a.yaml': `{{- if .Values.metrics.enabled }}\n${kind}{{- end }}\n`,
  });
  const web = join(directory, 'charts/web');
  expect(told).toContain(`  where  ${web}/templates/a.yaml:2: apiVersion: monitoring.example.com/v1
  value  metrics.enabled is set to true in ${web}/values.yaml:2
  fix    install the CRD of Meter (monitoring.example.com)
  fix    set metrics.enabled to false
`);
});

describe('a values.schema.json that is wrong itself', () => {
  const helm = "\nHelm's error:\n  values don't meet the specifications of the schema(s) in the following chart(s):\n";

  test("is told with its line, the way out, and how to go on without it, Helm's words last", async () => {
    const told = await toldOf({ 'values.schema.json': '{\n  "type": "object",\n}\n' });
    const file = join(directory, 'charts/web/values.schema.json');
    expect(told).toMatch(/^Error: INSTALLATION FAILED: .* \[schema-not-json\]\n/);
    expect(told.slice(told.indexOf('\n') + 1)).toBe(`  where  ${file}:2
  fix    add --skip-schema-validation to skip the check of the values

  1 | {
> 2 |   "type": "object",
    |                   ^
  3 | }
${helm}  shop:
  invalid character '}' looking for beginning of object key string
`);
  });

  test('of a subchart, and with GitHub an annotation at its line', async () => {
    const files = {
      'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 0.1.0\n',
      'charts/db/values.yaml': 'port: 1\n',
      'charts/db/values.schema.json': '{"properties": {\n  "port": {"type": "int"}\n}}\n',
    };
    const told = await toldOf(files, ['--progress=plain'], { GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: directory });
    const cause = 'properties.port.type is "int": value must be one of ';
    expect(told).toContain(`FAILED: ${cause}`);
    expect(told).toContain(`\n  where  ${join(directory, 'charts/web/charts/db/values.schema.json')}:2\n`);
    expect(told).toContain(`${helm}  db:\n  "file:///values.schema.json#" is not valid against metaschema: `);
    const annotations = told.split('\n').filter((line) => line.startsWith('::error'));
    expect(annotations).toHaveLength(1);
    expect(annotations[0]).toContain(
      `file=charts/web/charts/db/values.schema.json,line=2,col=12,title=install r failed::${cause}`,
    );
    expect(annotations[0]).toContain('%0Afix    write "integer" instead of "int"');
  });
});

describe('an object without a name, a kind or an apiVersion', () => {
  const nameless =
    '\n\nHelm\'s error: unable to continue with install: could not get information about the resource ConfigMap "" in namespace "default": resource name may not be empty\n';
  const setIt = 'with -f, with --set, or in values.yaml';
  const metadata = (name: string): string => `kind: ConfigMap\nmetadata:\n  name: ${name}\n`;

  test.each([
    [
      'a name of an empty value',
      {
        'values.yaml': 'app:\n  name: ""\n',
        'templates/a.yaml': `apiVersion: v1\n${metadata('{{ .Values.app.name }}')}`,
      },
      `ConfigMap: metadata.name is empty [name-missing]
  where  DIR/templates/a.yaml:4: name: {{ .Values.app.name }}
  value  app.name is set to "" in DIR/values.yaml:2
  fix    set app.name ${setIt}${nameless}`,
    ],
    [
      'a name that a helper makes of a value that is not there',
      {
        'values.yaml': 'other: ""\n',
        'templates/_h.tpl':
          '{{ define "x" }}{{ .Values.other }}{{ .Values.app }}{{ end }}{{ define "m" }}\n{{ .Values.z }}{{ include "n" . }}{{ end }}{{ define "n" }}{{ .Values.id | default "" | trim }}{{ end }}',
        'templates/a.yaml': `---\n# a comment\n---\napiVersion: v1\n${metadata('"{{ include "n" . }}"')}`,
      },
      `ConfigMap: metadata.name is empty [name-missing]
  where  DIR/templates/a.yaml:7: name: "{{ include "n" . }}"
  fix    set id ${setIt}${nameless}`,
    ],
    [
      'no name in a List',
      {
        'templates/a.yaml':
          'apiVersion: v1\nkind: List\nitems:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata: {labels: {}}\n',
      },
      `List: it has no items[0].metadata.name [name-missing]
  where  DIR/templates/a.yaml:6: metadata: {labels: {}}
  fix    add items[0].metadata.name${nameless}`,
    ],
    [
      'an empty kind',
      {
        'values.yaml': 'app: {}\n',
        'templates/a.yaml': 'apiVersion: v1\nkind: {{ .Values.app.kind }}\nmetadata:\n  name: a\n',
      },
      `a: kind is empty [object-malformed]
  where  DIR/templates/a.yaml:2: kind: {{ .Values.app.kind }}
  fix    set app.kind ${setIt}

Helm's error: unable to build kubernetes objects from release manifest: error validating "": error validating data: kind not set
`,
    ],
    [
      'a label that YAML takes for a switch',
      {
        'values.yaml': 'app: "y"\n',
        'templates/a.yaml':
          'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels: {part: {{ .Values.app }}}\n',
      },
      `ConfigMap/a: metadata.labels.part is true but must be a string [object-malformed]
  where  DIR/templates/a.yaml:5: labels: {part: {{ .Values.app }}}
  value  app is set to "y" in DIR/values.yaml:1
  fix    app must be a string: put it in quotes (in a template: {{ … | quote }})

Helm's error: unable to build kubernetes objects from release manifest: unable to decode "": json: cannot unmarshal bool into Go struct field ObjectMeta.metadata.labels of type string
`,
    ],
    [
      'no apiVersion in the second document',
      { 'templates/a.yaml': `apiVersion: v1\n${metadata('a')}---\n# b\n${metadata('b')}` },
      `ConfigMap/b: it has no apiVersion [object-malformed]
  where  DIR/templates/a.yaml:7
  fix    set apiVersion to v1

Helm's error: unable to build kubernetes objects from release manifest: error validating "": error validating data: apiVersion not set
`,
    ],
  ])('%s', async (_what, files, text) => {
    const told = await toldOf(files as Files);
    expect(told).toBe(`Error: INSTALLATION FAILED: ${text.replaceAll('DIR', join(directory, 'charts/web'))}`);
  });
});

describe('a text that is no name', () => {
  const allowed = 'only lowercase letters, digits, - and . are allowed, starting and ending with a letter or digit';

  test("is told in short, with the value to set; the pattern stands in Helm's words alone", async () => {
    const told = await toldOf({
      'values.yaml': 'app: My_App\n',
      'templates/_h.tpl': '{{ define "name" }}{{ .Values.app }}-{{ .Release.Name }}{{ end }}',
      'templates/a.yaml': configMap('{{ include "name" . }}', ''),
    });
    const web = join(directory, 'charts/web');
    expect(
      told,
    ).toContain(`Error: INSTALLATION FAILED: ConfigMap/My_App-r: metadata.name is "My_App-r": ${allowed} [name-invalid]
  where  ${web}/templates/a.yaml:4: name: {{ include "name" . }}
  where  ${web}/templates/_h.tpl:1: {{ define "name" }}{{ .Values.app }}-{{ .Release.Name }}{{ end }} (in the helper)
  value  app is set to "My_App" in ${web}/values.yaml:1
  fix    set app to "my-app"; the field then becomes "my-app-r"

Helm's error: server-side apply failed for object default/My_App-r /v1, Kind=ConfigMap: `);
    expect(told).toMatch(/regex used for validation is '[^']*'\)\n\nRevision 1 of r is marked failed;/);
  });

  test('is written anew where no value made it, and is not told of what is secret', async () => {
    const literal = await toldOf({ 'templates/a.yaml': configMap('My_App', '') });
    expect(literal).toContain('\n  fix    write "my-app" instead of "My_App"\n');
    const secret = await toldOf(
      {
        'values.yaml': 'auth:\n  password: My_Pass\n',
        'templates/a.yaml': configMap('{{ .Values.auth.password }}', ''),
      },
      ['--namespace', 'other', '--create-namespace'],
    );
    expect(secret).toContain(allowed);
    expect(secret).not.toContain('my-pass');
  });
});

describe('annotations of GitHub', () => {
  const env = { GITHUB_ACTIONS: 'true' };
  const annotationsOf = async (files: Files): Promise<string[]> => {
    const told = await toldOf(files, ['--progress=plain'], { ...env, GITHUB_WORKSPACE: directory });
    return told.split('\n').filter((line) => line.startsWith('::error'));
  };

  test.each([
    [
      'a value that its schema refuses',
      {
        'values.yaml': 'replicas: 1\nservice:\n  port: x\n',
        'values.schema.json':
          '{"properties":{"replicas":{"minimum":2},"service":{"properties":{"port":{"type":"integer"}}}}}',
        'templates/a.yaml': '',
      },
      [
        '::error file=charts/web/values.yaml,line=1,title=install r failed::replicas: minimum: got 1, want 2%0Avalue  replicas is set to 1 in DIR/values.yaml:1%0Afix    set replicas with -f, with --set, or in values.yaml: the schema requires a value of at least 2',
        '::error file=charts/web/values.yaml,line=3,title=install r failed::service.port: got string, want integer%0Avalue  service.port is set to "x" in DIR/values.yaml:3',
      ],
    ],
    [
      'parts of wrong types',
      {
        'templates/a.yaml': configMap('a', '  labels:\n    tier: 1\n'),
        'templates/b.yaml': configMap('b', '  labels: 1\n'),
      },
      [
        expect.stringContaining(
          '::error file=charts/web/templates/a.yaml,line=6,title=install r%3A ConfigMap/a::ConfigMap/a: metadata.labels.tier is the number 1 but must be a string%0Awhere ',
        ),
        expect.stringContaining(
          '::error file=charts/web/templates/b.yaml,line=5,title=install r%3A ConfigMap/b::ConfigMap/b: metadata.labels is the number 1 but must be a map',
        ),
      ],
    ],
  ])('%s has its file and line', async (_what, files, annotations) =>
    expect((await annotationsOf(files)).map((one) => one.replaceAll(join(directory, 'charts/web'), 'DIR'))).toEqual(
      annotations,
    ),
  );

  test.each([
    [
      'a kind that is not served',
      'apiVersion: a/v1\nkind: B\nmetadata: {name: c}\n',
      1,
      '%3A B/c::B/c: no matches for kind ',
    ],
    [
      'text that is no YAML',
      'apiVersion: v1\nkind: "Con\n',
      '2,col=7',
      ' failed::a quote is opened here and never closed',
    ],
    [
      'a value that is missing',
      'a: {{ .Values.a.b }}\n',
      '1,col=15',
      ' failed::the value a is not set, so a.b cannot be read%0A',
    ],
  ])('%s has its file and line', async (_what, template, line, text) => {
    const [only, ...others] = await annotationsOf({ 'templates/a.yaml': template });
    expect(others).toEqual([]);
    expect(only).toContain(`::error file=charts/web/templates/a.yaml,line=${line},title=install r${text}`);
  });

  test.each([
    [
      'a file of -f',
      ['-f', 'DIR/ci.yaml'],
      ['file=ci.yaml,line=2,title=install r failed::web.port: got string, want integer'],
    ],
    [
      'a flag',
      ['--set', 'web.port=x'],
      ['title=install r failed::web.port: got string, want integer%0Avalue  web.port is set to "x" by --set'],
    ],
  ])('a value that a schema refuses is told with %s', async (_what, words, [text = '']) => {
    writeFileSync(join(directory, 'ci.yaml'), 'web:\n  port: x\n');
    const files = {
      'values.yaml': 'web: {port: 1}\n',
      'values.schema.json': '{"properties":{"web":{"properties":{"port":{"type":"integer"}}}}}',
    };
    const told = await toldOf(files, ['--progress=plain', ...words.map((word) => word.replace('DIR', directory))], {
      ...env,
      GITHUB_WORKSPACE: directory,
    });
    expect(told).toContain(`::error ${text}`);
    expect(told).toContain(
      `\n  value  web.port is set to "x" ${words[0] === '-f' ? `in ${directory}/ci.yaml:2` : 'by --set'}\n`,
    );
  });

  test.each([
    [
      'required',
      '{{ required "image.tag is needed" .Values.tag }}',
      'title=install r failed::image.tag is needed%0Awhere ',
    ],
    ['a chart of another cluster', 'a: b\n', 'title=install r failed::chart requires kubeVersion'],
  ])('what fails stands in the title alone: %s', async (_what, template, text) => {
    const version = text.includes('kubeVersion') ? 'kubeVersion: ">=99"\n' : '';
    const chart = `apiVersion: v2\nname: shop\nversion: 0.1.0\n${version}`;
    const [only, ...others] = await annotationsOf({ 'Chart.yaml': chart, 'templates/a.yaml': template });
    expect(others).toEqual([]);
    expect(only).toContain(text);
    expect(only).not.toContain('FAILED');
  });

  test('a value that is missing is annotated in the map that lacks it', async () => {
    const files = { 'values.yaml': 'web:\n  port: {}\n', 'templates/a.yaml': 'a: {{ .Values.web.port.http.name }}\n' };
    const [only, ...others] = await annotationsOf(files);
    expect(others).toEqual([]);
    expect(only).toContain(
      '::error file=charts/web/values.yaml,line=2,title=install r failed::the value web.port.http',
    );
  });

  test('a value that is no map is annotated once, where the user gave it, and names the template', async () => {
    writeFileSync(join(directory, 'ci.yaml'), 'web:\n  port: x\n');
    const files = { 'templates/a.yaml': 'a: {{ .Values.web.port.http }}\n' };
    const words = ['--progress=plain', '-f', join(directory, 'ci.yaml')];
    const told = await toldOf(files, words, { ...env, GITHUB_WORKSPACE: directory });
    const cause = 'the value web.port is not a map, so web.port.http cannot be read';
    const [only = '', ...others] = told.split('\n').filter((line) => line.startsWith('::error'));
    expect(others).toEqual([]);
    expect(only).toContain(`::error file=ci.yaml,line=2,title=install r failed::${cause}%0Awhere `);
    expect(only).toContain('/charts/web/templates/a.yaml:1%0A');
    expect(told).toContain(`\n  value  web.port is set to "x" in ${directory}/ci.yaml:2\n`);
  });

  test('a cycle is annotated at each line that is part of it', async () => {
    const ordered = (name: string, after: string): string =>
      configMap(
        name,
        `  annotations:\n    helm.sh/resource-group: ${name}\n    helm.sh/depends-on/resource-groups: '["${after}"]'\n`,
      );
    const files = { 'templates/a.yaml': ordered('a', 'b'), 'templates/b.yaml': ordered('b', 'a') };
    const told = await toldOf(files, ['--progress=plain', '--wait=ordered'], { ...env, GITHUB_WORKSPACE: directory });
    const annotations = told.split('\n').filter((line) => line.startsWith('::error'));
    expect(annotations).toEqual([
      expect.stringContaining(`::error file=charts/web/templates/a.yaml,line=7,title=install r failed::a -> b -> a `),
      expect.stringContaining(`::error file=charts/web/templates/b.yaml,line=7,title=install r failed::a -> b -> a `),
    ]);
  });

  test('what was not sent yet is annotated beside what failed', async () => {
    const annotations = await annotationsOf({
      'templates/c.yaml': configMap('c', 'dta:\n  a: b\n'),
      'templates/e.yaml': 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: e}\nspec:\n  replicas: a\n',
    });
    expect(annotations.slice(0, 2)).toEqual([
      expect.stringContaining(
        '::error file=charts/web/templates/c.yaml,line=5,title=install r%3A ConfigMap/c::ConfigMap/c: ',
      ),
      expect.stringContaining(
        '::error file=charts/web/templates/e.yaml,line=5,title=install r would fail%3A Deployment/e::Deployment/e: spec.replicas must be a number, not "a"',
      ),
    ]);
  });
});

test('a value that a schema misses is to be set, with what the schema requires', async () => {
  const schema = '{"required":["policy"],"properties":{"policy":{"enum":["sync","upsert-only"]}}}';
  const told = await toldOf({ 'values.schema.json': schema });
  expect(told).toContain(
    'the value policy is not set [value-missing]\n  fix    set policy with -f, with --set, or in values.yaml: the schema requires one of "sync", "upsert-only"\n',
  );
});

describe('what is missing belongs into the file of values that the user gave', () => {
  const schema = '{"required":["policy"],"properties":{"policy":{"enum":["sync","upsert-only"]}}}';

  test.each([
    [
      'of a schema',
      { 'values.schema.json': schema },
      'set policy in OWN or with --set: the schema requires one of "sync", "upsert-only"',
    ],
    [
      'of a template',
      { 'values.yaml': 'web:\n  x: 1\n', 'templates/a.yaml': service('{{ .Values.web.tls.port }}') },
      'set web.tls.port in OWN or with --set',
    ],
  ])('%s', async (_what, files, fix) => {
    const own = join(directory, 'own.yaml');
    writeFileSync(own, 'a: 1\n');
    expect(await toldOf(files, ['-f', own, '--set', 'b=1'])).toContain(
      `  fix    ${fix.replace('OWN', own).replace('DIR', join(directory, 'charts/web'))}\n`,
    );
  });
});

test('a value that a template misspells, where the field must not be empty, is told with the one that there is', async () => {
  const files = {
    'values.yaml': 'service:\n  externalPort: 80\n',
    'templates/a.yaml': service('{{ .Values.service.externalPrt }}'),
  };
  expect(await toldOf(files)).toContain('  fix    did you mean service.externalPort instead of service.externalPrt?\n');
});
