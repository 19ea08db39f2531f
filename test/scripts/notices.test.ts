import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { browserScripts } from '../../scripts/browser-script.mjs';
import { replacedPackages } from '../../scripts/lazy-packages.mjs';
import { manual } from '../../scripts/manual.mjs';
import { noticesText, packagesIn } from '../../scripts/notices.mjs';
import { rawTexts } from '../../scripts/raw-texts.mjs';
import { archiveTexts } from '../../scripts/release/archive-texts.mjs';

/** Of the sources' import lines, the packages that are there at run time. */
function importedPackages(): string[] {
  const texts = readdirSync('src', { recursive: true, encoding: 'utf8' })
    // What stands in for a file in browsers is in none of the bundles of this package.
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.browser.ts'))
    .map((name) => readFileSync(join('src', name), 'utf8').replace(/^(?:import|export) type [^;]*;/gm, ''));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/(?:^[^'"`]*\sfrom |import\()\s*'([a-z@][\w@./-]*)'/gm)].map((match) => `${match[1]}`),
  );
  const packages = names.map((name) =>
    name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/'),
  );
  return [...new Set(packages)].filter((name) => !name.startsWith('node:') && !optional.includes(name));
}

/** Installed beside tshelm by whoever needs it, and so in no bundle. */
const optional = ['openpgp'];

test('the notices name every package that the bundle contains, with its licence', async () => {
  const { metafile } = await build({
    entryPoints: ['src/cli/main.ts'],
    bundle: true,
    alias: replacedPackages,
    plugins: [browserScripts, manual, rawTexts],
    platform: 'node',
    format: 'esm',
    external: optional,
    metafile: true,
    write: false,
    logLevel: 'error',
    outdir: 'dist',
  });
  const folders = packagesIn([metafile]);
  const text = noticesText('.', folders);
  const missing = importedPackages().filter((name) => !folders.includes(`node_modules/${name}`));
  expect(missing).toEqual([]);
  const untold = folders.filter((folder) => !text.includes(`${folder.split('node_modules/').at(-1)} `));
  expect(untold).toEqual([]);
  expect(text.match(/Permission is hereby granted|Apache License|Redistribution and use/g)?.length).toBeGreaterThan(5);
});

describe('the archive of an executable', () => {
  const texts = archiveTexts('.');

  test('names the packages beside the bundle, and the runtime', () => {
    const notices = texts.find(({ path }) => path === 'THIRD-PARTY-NOTICES')?.text ?? '';
    for (const name of ['openpgp', 'Bun', 'JavaScriptCore', 'BoringSSL']) expect(notices).toContain(name);
    expect(notices).toMatch(/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 2.1/);
    expect(notices).toMatch(/GNU LESSER GENERAL PUBLIC LICENSE\s+Version 3/);
  });

  test('has no link to a file that is not in it', () => {
    const paths = new Set(texts.flatMap(({ path }) => [path, dirname(path)]));
    const dead = texts
      .filter(({ path }) => path.endsWith('.md'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/\]\(([^()\s]+)\)/g)]
          .map(([, target = '']) => target.replace(/#.*/, ''))
          .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
          .map((target) => join(dirname(path), target).replace(/\/$/, ''))
          .filter((file) => !paths.has(file)),
      );
    expect(dead).toEqual([]);
  });
});

test('a package that says nothing of its licence is no part of a bundle', () => {
  expect(() => noticesText('.', ['fixtures/charts'])).toThrow();
});
