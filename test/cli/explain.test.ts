import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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

test('a code that a problem and an error have names both', async () => {
  const { stdout } = await explain('namespace-missing');
  expect(stdout).toMatch(/^problems#namespace-missing and errors#namespace-missing have this code\.\n/);
  for (const page of ['problems', 'errors'])
    expect(stdout).toContain((await explain(`${page}#namespace-missing`)).stdout.trimEnd());
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
  const { code, stdout } = await explain('registry.example.com');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^troubleshooting#imagepullbackoff-errimagepull {2}/m);
  expect((await explain('pull', 'secret', 'zzz')).code).toBe(1);
  const many = await explain('the');
  expect(many.stdout.trimEnd().split('\n')).toHaveLength(20);
  expect(many.stderr).toMatch(/^\d+ more sections have these words/);
});

test.each([
  ['ImagePullBackOff', 'ImagePullBackOff, ErrImagePull'],
  ['pending-upgrade', 'pending-upgrade, pending-install, pending-rollback'],
  ['context deadline exceeded', 'timed out, context deadline exceeded'],
])('%s is a symptom with a section of its own', async (words, title) => {
  expect((await explain(...words.split(' '))).stdout).toMatch(`## ${title}\n`);
});

test.each([
  ['lock', 'recovery'],
  ['another operation', 'troubleshooting#another-operation-installupgraderollback-is-in-progress'],
  ['release not found', 'troubleshooting#release-not-found-has-no-deployed-releases'],
  ['timed out', 'troubleshooting#timed-out-context-deadline-exceeded'],
  ['timeout', 'errors#wait-timeout'],
  ['no kubeconfig', 'troubleshooting#kubernetes-cluster-unreachable-no-kubeconfig-was-found'],
  ['immutable', 'troubleshooting#field-is-immutable-cannot-be-changed-in-place'],
])('%s: the section about it is the first, or nearly', (words, wanted) => {
  const { sections } = lookUp(words.split(' '), manualPages());
  const names = sections.map(({ page, id }) => (id === '' ? page : `${page}#${id}`));
  expect(names.slice(0, 2)).toContain(wanted);
});

describe('an option', () => {
  test('its descriptions, the commands that take it, and the sections about it', async () => {
    const { code, stdout } = await explain('--wait-lock');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^# --wait-lock\n`--wait-lock duration`: .*\n\nTaken by: .*\binstall\b.*\bupgrade\b/);
    expect(stdout).toMatch(/^troubleshooting#another-operation-installupgraderollback-is-in-progress {2}/m);
  });

  test('what it means differs between commands', async () => {
    const { stdout } = await explain('--timeout');
    expect(stdout).toContain('Taken by: repo add, repo update.\n');
    expect(stdout.match(/^`--timeout duration`: /gm)?.length).toBeGreaterThan(2);
  });

  test.each(['--namespace', '--sandbox'])('%s of every command', async (option) => {
    expect((await explain(option)).stdout).toContain('Taken by: every command.\n');
  });

  test('nobody has it', async () => {
    expect(await explain('--timeot')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('did you mean --timeout?'),
    });
  });

  test('a flag beside words stays a flag', async () => {
    expect((await explain('waiting', '--debug')).stdout).toMatch(/^# /);
  });
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
