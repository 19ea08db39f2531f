import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { failureForPrograms, forPrograms } from '../../src/sdk/wording.ts';
import { TshelmError } from '../../src/support/errors.ts';

const source = fileURLToPath(new URL('../../src', import.meta.url));

test.each([
  ['it is held; --wait-lock DURATION waits for it to finish', 'it is held; waitLockMs waits for it to finish'],
  ['add --server-side=false to replace', 'add serverSide: false to replace'],
  ['only takes effect with --wait=ordered', "only takes effect with wait: 'ordered'"],
  ['bad YAML\n\nUse --debug flag to render out invalid YAML', 'bad YAML'],
  [
    'Please add a selector like "--selector name=db", or indicate whether to skip (--skip-needs) or include (--include-needs) them',
    "Please add 'name=db' to selectors, or indicate whether to skip (skipNeeds) or include (includeNeeds) them",
  ],
  ['container web: nginx: unknown option --listen-on', 'container web: nginx: unknown option --listen-on'],
])('%s', (text, told) => expect(forPrograms(text)).toBe(told));

test("a program's log keeps its own words", () => {
  const log = 'container web exited with code 1: unknown flag: --install';
  const failure = new TshelmError('wait-failed', { message: log, details: { unready: [] } });
  const outer = failure.wrapped({ message: `release web failed: ${log}` });
  expect(failureForPrograms(outer)).toBe(outer);
});

test('what an admission webhook says keeps its own words', () => {
  const said = 'admission webhook "w" denied the request: use --force-conflicts';
  const details = { method: 'PATCH', path: '/', status: 403, reason: 'Forbidden' };
  const failure = new TshelmError('failed', {
    message: `Deployment/web: ${said} (--preflight=never skips this check)`,
    cause: new TshelmError('api-error', { message: said, details }),
  });
  const { message } = failureForPrograms(failure) as TshelmError;
  expect(message).toBe(`Deployment/web: ${said} (preflight: 'never' skips this check)`);
});

/** What of a stack the library does not do. */
const ofCommandLine = /[/\\]stack[/\\](?:export|untrusted|write-values)\b/;

/** Where options are declared with their flags, whose descriptions `--help` prints. */
const declaresFlags = /[/\\](?:options[/\\][\w-]+|[\w-]+-options|option-rows)\.ts$/;

/** Texts of rooms below the command line that speak of flags; a flag alone is what a program is started with. */
function flagTexts(): string[] {
  const rooms = readdirSync(source).filter((room) => !['cli', 'sdk', 'plugin'].includes(room));
  const files = rooms.flatMap((room) =>
    room.endsWith('.ts')
      ? []
      : readdirSync(join(source, room), { recursive: true, encoding: 'utf8' }).map((name) => join(source, room, name)),
  );
  const lines = files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('error-codes.ts'))
    .filter((file) => !ofCommandLine.test(file) && !declaresFlags.test(file))
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => !/^\s*(?:\*|\/\/|\/\*)/.test(line));
  return lines
    .flatMap((line) => line.match(/(?:'[^']*'|`[^`]*`|"[^"]*")/g) ?? [])
    .filter((text) => /(?<![\w-])--(?!expose-gc)[a-z]{2}/.test(text) && !/^'--[\w=-]*'$/.test(text));
}

test('no message of the library speaks of a flag', () => {
  const texts = flagTexts();
  expect(texts.length).toBeGreaterThan(20);
  expect(texts.map(forPrograms).filter((text) => /(?<![\w-])--(?!expose-gc)[a-z]{2}/.test(text))).toEqual([]);
});
