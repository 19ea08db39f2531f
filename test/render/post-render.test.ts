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
      `# top\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  annotations:\n    postrenderer.helm.sh/postrender-filename: 'web/templates/a.yaml'\n  name: a   # trailing\ndata:\n  x: "1"\n`,
      `kind: Job\nmetadata:\n  name: j\n  annotations:\n    postrenderer.helm.sh/postrender-filename: 'web/templates/a.yaml'\n    helm.sh/hook: pre-install\nspec: {a: [1, 2]}\n`,
      "kind: Service\nmetadata: {annotations: {postrenderer.helm.sh/postrender-filename: 'web/templates/b.yaml'}, name: b}\n",
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
  expect(rendered.get('l.yaml')).toBe('kind: Pod\nmetadata:\n  name: x\n---\nkind: Secret\n');
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
  expect(streams[0]).toMatch(/^ {2}a: hello$/m);
  expect(rendered.get('t.yaml')).toMatch(/^ {2}a: hello$/m);
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

  test('that does not exist fails', async () => {
    await expect(postRendererProgram({ command: '/no/such/program' })('a: 1')).rejects.toThrow(
      'cannot run post-renderer "/no/such/program"',
    );
  });
});
