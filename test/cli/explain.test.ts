import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { commandTexts } from '../../src/cli/help/texts.ts';
import { lookUp } from '../../src/cli/manual/lookup.ts';
import { manualPages } from '../../src/cli/manual/pages.ts';
import { tshelm } from './harness.ts';

const explain = (...words: string[]) => tshelm(['explain', ...words]);

test('without words: the pages and their titles', async () => {
  const { code, stdout } = await explain();
  expect(code).toBe(0);
  expect(stdout).toMatch(/^waiting +Waiting/m);
  expect(stdout.split('\n').every((line) => line.length <= 120)).toBe(true);
});

test('a page is printed as it is written, whichever way it is named', async () => {
  const page = readFileSync('docs/waiting.md', 'utf8').trimEnd();
  for (const name of ['waiting', 'waiting.md', 'docs/waiting.md', 'Waiting'])
    expect((await explain(name)).stdout.trimEnd()).toBe(page);
});

test('at a terminal without marks of Markdown, folded, with whole tables', async () => {
  const shown = async (name: string, columns: number): Promise<string> =>
    (await tshelm(['explain', name], { screen: columns, env: { NO_COLOR: '1' } })).stdout;
  expect(await shown('image-not-found', 80)).toBe(`image-not-found

The registry has no such image or tag.

    container app: ImagePullBackOff: … (no such tag or repository)

Fix: Use an image that exists, or push this image.
`);
  const page = await shown('waiting#health-checks-of-your-own', 60);
  expect(page).toContain('\n    # health.yaml\n    - apiVersion: postgresql.cnpg.io/v1\n');
  expect(page).toContain(
    '\n- The first of the three that is true decides; while none\n  is, the object is waited for.',
  );
  expect(page).toContain('have no check of their');
  for (const line of page.split('\n')) if (!line.startsWith('    ')) expect(line.length).toBeLessThanOrEqual(60);
  const colored = await tshelm(['explain', 'image-not-found'], { screen: 80 });
  expect(colored.stdout).toMatch(/^\x1b\[1mimage-not-found\x1b\[22m\n/);
});

test('a section ends where the next of its level begins; a comment in an example is no heading', async () => {
  const { stdout } = await explain('ordering#8-an-order-for-a-chart-that-you-do-not-own');
  expect(stdout).toMatch(/^## 8\. An order for a chart that you do not own\n/);
  expect(stdout).toContain('\n# order.yaml\n');
  expect(stdout).not.toContain('## 9.');
});

test('every code is explained: of problems, and of errors', async () => {
  const pages = manualPages();
  const codesOf = (page: string, mark: string): readonly string[] =>
    [...(pages.get(page) ?? '').matchAll(new RegExp(`^${mark} (\\S+)$`, 'gm'))].map(([, code = '']) => code);
  const codes = [...codesOf('problems', '###'), ...codesOf('errors', '##')];
  expect(codes.length).toBeGreaterThan(150);
  for (const code of codes)
    for (const written of [code, `[${code}]`]) expect(lookUp([written], pages)).toMatchObject({ isExact: true });
  expect((await explain('image-not-found')).stdout).toMatch(/^### image-not-found\n.*\n[^]*Fix: /);
});

test('other words list the sections that have all of them', async () => {
  const { code, stdout } = await explain('ImagePullBackOff');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^troubleshooting#imagepullbackoff-errimagepull {2}/);
  expect((await explain('pull', 'secret', 'zzz')).code).toBe(1);
  const many = await explain('the');
  expect(many.stdout.trimEnd().split('\n')).toHaveLength(20);
  expect(many.stderr).toMatch(/^\d+ more sections have these words/);
});

test('what is not known is an error that names what may be meant', async () => {
  expect(await explain('wating')).toEqual({
    code: 1,
    stdout: '',
    stderr: 'Error: nothing explains "wating"; did you mean waiting?\n',
  });
  expect((await explain('\u001b[31mx')).stderr).not.toContain('\u001b');
});

test('help names only what can be explained', () => {
  const pages = manualPages();
  for (const { more } of Object.values(commandTexts)) expect(lookUp([more], pages)).toMatchObject({ isExact: true });
});
