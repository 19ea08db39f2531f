import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isAddedFlag } from '../../src/cli/help/option-groups.ts';
import { tshelmPath } from './support/programs.ts';

/** Every command and flag of Helm's is here, with the same shorthand, type and default: both write their own manuals. */
const bin = process.env['TSHELM_E2E_BIN'] as string;
const folder = mkdtempSync(join(tmpdir(), 'tshelm-commands-'));

/** The flags that are meant to differ: docs/from-helm-3.md names them, with the reason. */
const deliberate = new Set(
  (readFileSync('docs/from-helm-3.md', 'utf8').split('| flag | what')[1]?.split('\n\n')[0] ?? '')
    .split('\n')
    .flatMap((row) => [...(row.split('|')[1] ?? '').matchAll(/`(--[\w-]+)`/g)].map(([, name = '']) => name)),
);

interface Manual {
  readonly summary: string;
  readonly usage: string;
  /** `-n string (default "x")`, by `--name`. */
  readonly flags: ReadonlyMap<string, string>;
  /** Those that are no option of every command. */
  readonly ownFlags: readonly string[];
}

const manuals: Record<string, ReadonlyMap<string, Manual>> = {};

beforeAll(() => {
  for (const [name, program] of [
    ['helm', join(bin, 'helm')],
    ['tshelm', tshelmPath],
  ] as const) {
    const home = join(folder, name);
    mkdirSync(join(home, 'docs'), { recursive: true });
    symlinkSync(program, join(home, 'helm'));
    const env = { ...process.env, HOME: home, HELM_DATA_HOME: home, HELM_CONFIG_HOME: home, HELM_CACHE_HOME: home };
    execFileSync(join(home, 'helm'), ['docs', '--dir', join(home, 'docs')], { env });
    manuals[name] = readManuals(join(home, 'docs'));
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

const readManuals = (docs: string): ReadonlyMap<string, Manual> =>
  new Map(
    readdirSync(docs).map((file) => {
      const text = readFileSync(join(docs, file), 'utf8');
      const rows = text.matchAll(/^ {2}(?:-(\w), | {4})(--[\w-]+)(?: ([\w/]+(?:\[=[^\]]*\])?))? {2,}(.*)$/gm);
      const flags = [...rows].map(([, short = '', name = '', type = '', description = '']) => {
        const [value = ''] = /\(default [^()]*\)$/.exec(description) ?? [];
        return [name, `${short} ${type} ${value}`.trim()] as const;
      });
      const [own = ''] = text.split('\n### Options inherited');
      const ownFlags = [...flags].map(([name]) => name).filter((name) => own.includes(` ${name} `));
      const usage = /^```\n(helm.*)\n```$/m.exec(text)?.[1] ?? '';
      return [file, { summary: text.split('\n')[2] ?? '', usage, flags: new Map(flags), ownFlags }];
    }),
  );

test('Helm has as many commands as when this was written', () => {
  expect(manuals['helm']?.size).toBe(59);
  expect(manuals['helm']?.get('helm_install.md')?.flags.size).toBeGreaterThan(60);
});

test('each command is here, with its usage and summary', () => {
  const differing = [...(manuals['helm'] ?? [])].filter(([file, { summary, usage }]) => {
    const own = manuals['tshelm']?.get(file);
    const isSame = own?.usage === usage && own.summary.startsWith(summary);
    // The program says what it is itself; `search oci://…` is a form of tshelm's.
    return !isSame && file !== 'helm.md' && !(file === 'helm_search.md' && own !== undefined);
  });
  expect(differing.map(([file]) => file)).toEqual([]);
});

test('each flag is here, with its shorthand, type and default', () => {
  const differing: string[] = [];
  for (const [file, { flags }] of manuals['helm'] ?? []) {
    const own = manuals['tshelm']?.get(file)?.flags;
    for (const [name, said] of flags)
      if (own?.get(name) !== said && !deliberate.has(name))
        differing.push(`${file} ${name}: ${said} | ${own?.get(name)}`);
  }
  expect(differing).toEqual([]);
});

test('what is meant to differ does', () => {
  expect(deliberate.size).toBeGreaterThan(0);
  const names = [...deliberate].filter((name) =>
    [...(manuals['helm'] ?? [])].every(([file, { flags }]) => {
      const said = flags.get(name);
      return said === undefined || said === manuals['tshelm']?.get(file)?.flags.get(name);
    }),
  );
  expect(names).toEqual([]);
});

test('help marks the options that Helm does not have, and no others', () => {
  const wrong: string[] = [];
  for (const [file, { flags }] of manuals['helm'] ?? []) {
    const path = file.slice('helm_'.length, -'.md'.length).replaceAll('_', ' ');
    for (const name of manuals['tshelm']?.get(file)?.ownFlags ?? [])
      if (isAddedFlag(file === 'helm.md' ? '' : path, name.slice(2)) === flags.has(name)) wrong.push(`${path} ${name}`);
  }
  expect(wrong).toEqual([]);
});
