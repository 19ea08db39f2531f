import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { tshelm } from './harness.ts';

const folder = mkdtempSync(join(tmpdir(), 'tshelm-error-colors-'));
mkdirSync(join(folder, 'templates'));
writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: broken\nversion: 1.0.0\n');
writeFileSync(join(folder, 'templates/a.yaml'), 'a: 1\nb: {{ .Values.a.b }}\n');
afterAll(() => rmSync(folder, { recursive: true }));

const failing = ['template', 'rel', folder];
const terminal = 60;
const color = /\x1b\[\d+m/g;
const bold = (text: string): string => `\x1b[1m${text}\x1b[22m`;
const dim = (text: string): string => `\x1b[2m${text}\x1b[22m`;
const red = (text: string): string => `\x1b[31m${text}\x1b[39m`;

test('on a terminal an error has colours: what is wrong, where, the line in question; what repeats is dimmed', async () => {
  const { stderr } = await tshelm(failing, { terminal });
  const lines = stderr.split('\n');
  expect(lines[0]?.startsWith(`${bold(red('Error:'))}\x1b[1m the value a is not set`)).toBe(true);
  expect(stderr).toContain(`  \x1b[36mwhere\x1b[39m  ${folder.slice(0, 20)}`);
  expect(stderr).toContain('  \x1b[32mfix\x1b[39m    set a');
  expect(lines).toContain(bold(`${red('>')} 2 | b: {{ .Values.a.b }}`));
  expect(lines).toContain(dim('  1 | a: 1'));
  expect(lines).toContain(dim("Helm's error:"));
  expect(lines).toContain(dim('What the code in brackets means: tshelm explain\n  value-missing').split('\n')[0]);
});

test('where Helm has the last word on a file, no code stands in brackets, and the note says so', async () => {
  const file = join(folder, 'list.yaml');
  writeFileSync(file, '- a\n');
  const { stderr } = await tshelm([...failing, '-f', file], { terminal, env: { NO_COLOR: '1' } });
  expect(stderr).not.toContain('[yaml-no-map]');
  expect(stderr).toContain('More about this: tshelm explain yaml-no-map');
});

test('the colours change no text', async () => {
  const plain = await tshelm(failing, { terminal, env: { NO_COLOR: '1' } });
  expect(plain.stderr).not.toMatch(color);
  expect((await tshelm(failing, { terminal })).stderr.replaceAll(color, '')).toBe(plain.stderr);
});

test.each([
  ['TERM=dumb', [], { TERM: 'dumb' }],
  ['a build', [], { CI: 'true' }],
  ['--color=never', ['--color=never'], {}],
])('%s has no colours', async (_where, flags, env) => {
  expect((await tshelm([...failing, ...flags], { terminal, env })).stderr).not.toMatch(color);
});

test('a pipe gets the same bytes whatever is said of colours', async () => {
  const { stderr } = await tshelm(failing);
  expect((await tshelm([...failing, '--color=always'])).stderr).toBe(stderr);
  expect((await tshelm(failing, { env: { HELM_COLOR: 'always' } })).stderr).toBe(stderr);
});

test('what somebody else wrote brings no colours of its own', async () => {
  writeFileSync(join(folder, 'templates/a.yaml'), '{{ fail "\x1b[32mfine\x1b[0m \ufdd0\ufdd6red" }}\n');
  const { stderr } = await tshelm(failing, { terminal });
  expect(stderr).toContain('fine');
  expect(stderr).not.toContain('\x1b[32mfine');
  expect((await tshelm(failing)).stderr).toContain('\ufdd0\ufdd6red');
});
