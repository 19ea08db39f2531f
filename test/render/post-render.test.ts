import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type PostRenderStrategy, postRender } from '../../src/render/post-render.ts';
import { postRendererProgram } from '../../src/render/post-renderer.ts';

const files = new Map([
  [
    'web/templates/a.yaml',
    [
      '# top\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a   # trailing\ndata:\n  x: "1"\n',
      'kind: Job\nmetadata:\n  name: j\n  annotations:\n    helm.sh/hook: pre-install\nspec: {a: [1, 2]}\n',
      '# only a comment\n',
    ].join('---\n'),
  ],
  ['web/templates/b.yaml', 'kind: Service\nmetadata: {name: b}\n'],
  ['web/templates/_p.yaml', 'kind: Partial\n'],
]);

async function through(render: (stream: string) => string, strategy: PostRenderStrategy = 'combined') {
  const streams: string[] = [];
  const rendered = await postRender(
    files,
    async (stream) => {
      streams.push(stream);
      return render(stream);
    },
    strategy,
  );
  return { streams, rendered: Object.fromEntries(rendered) };
}

const unchanged = (stream: string): string => stream;

test('the stream names the file of each document, and keeps comments and layout', async () => {
  const { streams } = await through(unchanged);
  expect(streams).toEqual([
    [
      `# top\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a   # trailing\n  annotations:\n    postrenderer.helm.sh/postrender-filename: 'web/templates/a.yaml'\ndata:\n  x: "1"\n`,
      `kind: Job\nmetadata:\n  name: j\n  annotations:\n    helm.sh/hook: pre-install\n    postrenderer.helm.sh/postrender-filename: 'web/templates/a.yaml'\nspec: {a: [1, 2]}\n`,
      "kind: Service\nmetadata: {name: b, annotations: {postrenderer.helm.sh/postrender-filename: 'web/templates/b.yaml'}}\n",
    ].join('---\n'),
  ]);
});

test('what comes back unchanged is what went in, without the annotation', async () => {
  const { rendered } = await through(unchanged);
  expect(rendered).toEqual({
    'web/templates/a.yaml':
      '# top\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a   # trailing\ndata:\n  x: "1"\n---\nkind: Job\nmetadata:\n  name: j\n  annotations:\n    helm.sh/hook: pre-install\nspec: {a: [1, 2]}\n',
    'web/templates/b.yaml': 'kind: Service\nmetadata: {name: b}\n',
  });
});

test('a document that the post-renderer adds gets a file of its own', async () => {
  const { rendered } = await through((stream) => `${stream}---\nkind: Added\n`);
  expect(rendered['generated-by-postrender-3.yaml']).toBe('kind: Added\n');
});

describe('strategies', () => {
  const kindsOf = (stream: string) => [...stream.matchAll(/^kind: (.*)$/gm)].map(([, kind]) => kind);

  test.each<[PostRenderStrategy, string[][]]>([
    ['combined', [['ConfigMap', 'Job', 'Service']]],
    ['separate', [['Job'], ['ConfigMap', 'Service']]],
    ['nohooks', [['ConfigMap', 'Service']]],
  ])('%s', async (strategy, kinds) => {
    const { streams, rendered } = await through(unchanged, strategy);
    expect(streams.map(kindsOf)).toEqual(kinds);
    expect(new Set(kindsOf(Object.values(rendered).join('\n')))).toEqual(new Set(['ConfigMap', 'Job', 'Service']));
  });
});

test('a List is taken apart', async () => {
  const list = new Map([['l.yaml', 'kind: List\nitems:\n- kind: Pod\n  metadata: {name: x}\n- kind: Secret\n']]);
  const rendered = await postRender(list, async (stream) => stream, 'combined');
  expect(rendered.get('l.yaml')).toBe('kind: Pod\nmetadata: {name: x}\n---\nkind: Secret\n');
});

// Texts of Helm v4.3.1 with a plugin that prints what it reads; ENTRY is the annotation.
test.each([
  [
    'annotations in brackets',
    `metadata:\n  name: x\n  annotations: {a: "b", c: 'd'} # both\n`,
    `metadata:\n  name: x\n  annotations: {a: "b", c: 'd', ENTRY} # both\n`,
  ],
  [
    'metadata in brackets',
    'metadata: {name: x, annotations: {a: b}}\ndata: {z: "1"}\n',
    'metadata: {name: x, annotations: {a: b, ENTRY}}\ndata: {z: "1"}\n',
  ],
  [
    'JSON',
    '{"kind": "Pod", "metadata": {"name": "x", "annotations": {"a": "b"}}}\n',
    '{"kind": "Pod", "metadata": {"name": "x", "annotations": {"a": "b", ENTRY}}}\n',
  ],
  [
    'a comment behind the annotations',
    'metadata:\n  annotations:\n    a: b\n  # the name\n  name: x\n',
    'metadata:\n  annotations:\n    a: b\n    ENTRY\n  # the name\n  name: x\n',
  ],
  ['no metadata', 'kind: Pod\nspec: {}\n', 'kind: Pod\nspec: {}\nmetadata:\n  annotations:\n    ENTRY\n'],
])('%s: the rest stays as it is', async (_what, text, seen) => {
  let stream = '';
  const rendered = await postRender(
    new Map([['t.yaml', text]]),
    async (given) => {
      stream = given;
      return given;
    },
    'combined',
  );
  expect(stream).toBe(seen.replace('ENTRY', "postrenderer.helm.sh/postrender-filename: 't.yaml'"));
  expect(rendered.get('t.yaml')).toBe(text);
});

test.each(['metadata:\n  annotations: {}\n  name: x\n', 'metadata:\n  name: x\n  annotations:\n'])(
  '%j: empty annotations are left out',
  async (text) => {
    const rendered = await postRender(new Map([['t.yaml', text]]), async (given) => given, 'combined');
    expect(rendered.get('t.yaml')).toBe('metadata:\n  name: x\n');
  },
);

test('the items of a List keep their order of fields and their comments', async () => {
  const items = [
    '# first\nkind: Pod\nmetadata:\n  name: one # one\n  annotations:\n    z: z\ndata:\n  k: |\n    text\n    # no comment\n',
    '{kind: Pod, metadata: {name: two}}\n',
    '# third\nkind: Pod\napiVersion: v1\nmetadata:\n  name: three\n',
  ];
  const list = `kind: List
# of the items
items:
  # first
  - kind: Pod
    metadata:
      name: one # one
      annotations:
        z: z
    data:
      k: |
        text
        # no comment
  - {kind: Pod, metadata: {name: two}}

  # third
  -
    kind: Pod
    apiVersion: v1
    metadata:
      name: three
apiVersion: v1
`;
  const rendered = await postRender(new Map([['l.yaml', list]]), async (stream) => stream, 'combined');
  expect(rendered.get('l.yaml')).toBe(items.join('---\n'));
});

test('items in brackets stay in brackets', async () => {
  const text = 'kind: List\nitems: [{kind: Pod, metadata: {name: x}},\n  {kind: Pod,\n    metadata: {name: y}}]\n';
  const rendered = await postRender(new Map([['l.yaml', text]]), async (stream) => stream, 'combined');
  expect(rendered.get('l.yaml')).toBe('{kind: Pod, metadata: {name: x}}\n---\n{kind: Pod,\n    metadata: {name: y}}\n');
});

test('a text that an edit does not fit is written anew', async () => {
  const text = 'metadata: {name: x, annotations: &a {b: c}, labels: *a}\n';
  const rendered = await postRender(new Map([['l.yaml', text]]), async (stream) => stream, 'combined');
  expect(rendered.get('l.yaml')).toBe('metadata:\n  name: x\n  labels:\n    b: c\n  annotations:\n    b: c\n');
});

test('the post-renderer runs on a chart that renders nothing', async () => {
  const streams: string[] = [];
  await postRender(new Map(), async (stream) => streams.push(stream).toString(), 'combined').catch(() => {});
  expect(streams).toEqual(['']);
});

test('a text at the end of a file without a line break stays as it is', async () => {
  const block = new Map([['t.yaml', 'kind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: |\n    hello']]);
  const streams: string[] = [];
  const rendered = await postRender(
    block,
    async (stream) => {
      streams.push(stream);
      return stream;
    },
    'combined',
  );
  expect(streams[0]).toMatch(/^ {2}a: \|-\n {4}hello$/m);
  expect(rendered.get('t.yaml')).toMatch(/^ {2}a: \|-\n {4}hello$/m);
});

test('output that is no YAML fails', async () => {
  await expect(through(() => 'a: b: c')).rejects.toThrow(
    'error while parsing post rendered output: error parsing YAML: MalformedYAMLError: yaml: mapping values are not allowed in this context',
  );
});

describe('a program as post-renderer', () => {
  let directory = '';
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'tshelm-post-render-'));
  });
  afterAll(() => rm(directory, { recursive: true }));

  async function program(body: string): Promise<string> {
    const path = join(directory, 'render.sh');
    await writeFile(path, `#!/bin/sh\n${body}\n`);
    await chmod(path, 0o755);
    return path;
  }

  test('gets the manifests, its arguments and its environment', async () => {
    const command = await program('cat; echo "$1 $GREETING"');
    const render = postRendererProgram({ command, args: ['arg'], env: { GREETING: 'hello' } });
    expect(await render('kind: A\n')).toBe('kind: A\narg hello\n');
  });

  test('may be a name in PATH', async () => {
    expect(await postRendererProgram({ command: 'cat' })('kind: A\n')).toBe('kind: A\n');
  });

  test('may end without reading', async () => {
    const command = await program('echo "kind: B"');
    expect(await postRendererProgram({ command })('x'.repeat(1_000_000))).toBe('kind: B\n');
  });

  test.each([
    ['echo broken >&2; exit 3', /^post-renderer ".*render\.sh" exited with code 3\nbroken$/],
    ['kill -9 $$', /^post-renderer ".*render\.sh" was killed by SIGKILL$/],
    ['cat > /dev/null', /^post-renderer ".*render\.sh" produced empty output$/],
  ])('%s: fails', async (body, message) => {
    const render = postRendererProgram({ command: await program(body) });
    await expect(render('kind: A\n')).rejects.toMatchObject({ code: 'post-renderer-failed', message });
  });

  test('that gets more arguments than the system takes fails', async () => {
    const args = Array.from({ length: 40 }, () => 'x'.repeat(100_000));
    await expect(postRendererProgram({ command: '/bin/cat', args })('a: 1')).rejects.toMatchObject({
      code: 'post-renderer-failed',
      message: 'cannot run post-renderer "/bin/cat": fork/exec /bin/cat: argument list too long',
    });
  });

  test('that does not exist fails', async () => {
    await expect(postRendererProgram({ command: '/no/such/program' })('a: 1')).rejects.toThrow(
      'cannot run post-renderer "/no/such/program"',
    );
  });
});
