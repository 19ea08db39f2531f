import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { FlagsOf } from '../../change/option-rows.ts';
import { selected, selectedForShow } from '../../stack/choose.ts';
import { isWanted } from '../../stack/releases.ts';
import { noneFound } from '../../stack/work/open-stack.ts';
import { valuesFileOf } from '../../stack/write-values.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import type { CliContext } from '../context.ts';
import type { StackFlags } from './flags.ts';
import { openStack } from './open-stack.ts';
import type { writeValuesFlags } from './show-flags.ts';

/** Writes the values of each release to a file of its own, and says where. */
export async function runWriteValues(
  { outputFileTemplate, values, ...flags }: StackFlags & FlagsOf<typeof writeValuesFlags>,
  context: CliContext,
): Promise<void> {
  const { io } = context;
  const { files, reading } = await openStack(flags, context);
  const added = await Promise.all(values.map((path) => textOf(path, io.cwd)));
  const chosen = files.flatMap((file) => selected(file).map((release) => ({ release, file })));
  if (files.every((file) => selectedForShow(file).length === 0)) throw noneFound(reading);
  for (const { release, file } of chosen.filter((one) => isWanted(one.release))) {
    const { path, text } = valuesFileOf(release, file, { outputFileTemplate, added }, reading);
    await mkdir(dirname(path), { recursive: true });
    // Secrets are decrypted in it.
    await writeFile(path, text, { mode: 0o600 });
    if (!flags.quiet) io.stderr.write(`Writing values file ${path}\n`);
  }
}

async function textOf(path: string, cwd: string): Promise<string> {
  try {
    return await readFile(resolve(cwd, path), 'utf8');
  } catch (cause) {
    throw new TshelmError('bad-flag', { message: `--values ${path}: ${messageOf(cause)}`, cause });
  }
}
