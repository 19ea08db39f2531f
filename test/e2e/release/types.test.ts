import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { apiPage } from '../../../scripts/api-reference.mjs';
import { writeTypes } from '../../../scripts/types.mjs';
import { blocksOf } from '../../docs/pages.ts';

const root = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
const folder = mkdtempSync(join(tmpdir(), 'tshelm-types-'));
afterAll(() => rmSync(folder, { recursive: true }));

const program = `
import { isTshelmError, Tshelm, type Release, type StackEvent, type TshelmEvent, type Values, type ValuesOf } from 'tshelm';
import { planInstall } from 'tshelm/engine';
import { sandbox } from 'tshelm/testing';

await using tshelm = new Tshelm({ cluster: { server: 'https://10.0.0.1', token: 'x' } });
const values: Values = { replicas: 3, big: 9007199254740993n, list: [1, 'two', null], nested: { on: true } };
const kinds: readonly string[] = tshelm.renderSync('./chart', { values }).objects.map(({ kind }) => kind);
const operation = tshelm.upgrade('shop', './chart', { install: true, wait: 'watcher' });
for await (const event of operation) if (event.kind === 'resource') event.state satisfies string;
const release: Release = (await operation).release;
const stack = tshelm.stack({ folder: './deploy', stateValues: { replicas: 3 }, selectors: ['tier=front'] });
const ids: readonly string[] = (await stack.plan({ wait: 'ordered' })).map(({ id }) => id);
const ran = stack.apply({ rollbackOnFailure: 'stack' });
for await (const event of ran) {
  event satisfies StackEvent;
  if (event.kind === 'resource') [event.release, event.id.name] satisfies string[];
  if (event.kind === 'release-ended') event.state satisfies 'done' | 'failed' | 'left-out';
}
const revisions: (number | undefined)[] = (await ran).releases.map(({ revision }) => revision);
// @ts-expect-error: a state has no such option
tshelm.stack({ selector: ['tier=front'] });
try {
  await tshelm.rollback('shop');
} catch (error) {
  if (isTshelmError(error, 'wait-failed')) error.details.unready.map(({ id }) => id.name);
  if (isTshelmError(error, 'stack-failed')) Object.keys(error.details.errors);
  // @ts-expect-error: no failure has this code
  isTshelmError(error, 'no-such-code');
}
interface Image { tag: string; pullSecrets?: readonly string[] | undefined }
interface ShopValues { replicas: number; images: Image[]; office?: { open: boolean } | undefined }
declare const shop: ShopValues;
const ofShop: ValuesOf<ShopValues> = shop;
tshelm.renderSync('./chart', { values: ofShop });
interface Opening { at: Date }
declare const opening: Opening;
// @ts-expect-error: a date is no value of an interface either
const ofOpening: ValuesOf<Opening> = opening;
// @ts-expect-error: a date is no value
tshelm.renderSync('./chart', { values: { at: new Date() } });
// @ts-expect-error: an option that is misspelt
tshelm.install('shop', './chart', { wiat: 'watcher' });
const box = await sandbox({ time: 'simulated' });
const told: TshelmEvent[] = [];
export { box, ids, kinds, ofOpening, planInstall, release, revisions, told };
`;

test('the declarations stand on their own, and the reference shows them', { timeout: 300_000 }, () => {
  const faces = writeTypes(join(folder, 'types'));
  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  writeFileSync(join(folder, 'program.ts'), program);
  const snippets = ['sdk', 'loops'].flatMap((name) => {
    const page = { name, text: readFileSync(join(root, `docs/${name}.md`), 'utf8') };
    return blocksOf(page, 'js').map((code, index) => ({ name: `${name}-${index}.ts`, code }));
  });
  for (const { name, code } of snippets) writeFileSync(join(folder, name), complete(code));
  // Of packages, a program has Node's types at hand and nothing else of ours.
  symlinkSync(join(root, 'node_modules/@types'), join(folder, 'types-of-node'));
  const path = (face: string): readonly string[] => [`./types/${face}.d.ts`];
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'es2023',
    lib: ['es2023', 'esnext.disposable'],
    module: 'nodenext',
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    typeRoots: ['./types-of-node'],
    types: ['node'],
    paths: { tshelm: path('index'), 'tshelm/testing': path('testing'), 'tshelm/engine': path('engine') },
  };
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['program.ts', ...snippets.map(({ name }) => name)] }),
  );
  const compiled = compile(folder);
  expect(compiled).toBe('');
  expect(apiPage(faces), 'npm run docs:api').toBe(readFileSync(join(root, 'docs/api.md'), 'utf8'));
});

/** A snippet of a page as a program: what the page's first snippet made, and what its reader has. */
function complete(code: string): string {
  const own = code
    .replace(/^(async function worker\()signal\)/m, '$1signal: AbortSignal)')
    .replace('(_key, value) =>', '(_key: string, value: unknown) =>')
    .replace('(values) =>', "(values: import('tshelm').Values) =>");
  const given = [
    !/const tshelm\b/.test(own) && "declare const tshelm: import('tshelm').Tshelm;",
    !/import .*isTshelmError/.test(own) && "declare const isTshelmError: typeof import('tshelm').isTshelmError;",
    !/signal:/.test(own) && 'declare const signal: AbortSignal;',
  ];
  return `${[...given, own].filter(Boolean).join('\n')}\nexport {};\n`;
}

/** What the compiler says; nothing where all is well. */
function compile(directory: string): string {
  try {
    return execFileSync(join(root, 'node_modules/.bin/tsc'), ['-p', directory], { encoding: 'utf8' });
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}
