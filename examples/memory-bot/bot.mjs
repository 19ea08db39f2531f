// A bot that answers a deploy that ran out of memory with a pull request: it reads problems, and no sentence.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The edits that give a program more memory: for each problem whose remedy is to raise a limit of memory, the line of
 * values that sets it, with twice as much. [] where a failure has no such problem, or no line is known.
 * @param {import('tshelm').TshelmError} failure
 * @param {string} folder of the chart
 * @returns {{ file: string, line: number, before: string, after: string }[]}
 */
export function memoryEdits(failure, folder) {
  return failure.problems.flatMap((problem) =>
    problem.remedies.filter(raisesMemory).flatMap(({ path }) => editOf(problem, path, folder)),
  );
}

const raisesMemory = (remedy) =>
  remedy.kind === 'change-field' && remedy.how === 'raise' && remedy.path.slice(-2).join('.') === 'limits.memory';

function editOf({ places }, path, folder) {
  const field = places.find((place) => place.kind === 'field' && place.path.join() === path.join());
  const value = field?.values?.find(({ line }) => line !== undefined);
  if (value === undefined) return [];
  // Files of a chart are named with the chart's name before them, which its folder need not have.
  const file = join(folder, value.file.split('/').slice(1).join('/'));
  const before = readFileSync(file, 'utf8').split('\n')[value.line - 1];
  const after = before.replace(/(\d+)([KMGT]i?)/, (_, amount, unit) => `${Number(amount) * 2}${unit}`);
  return after === before ? [] : [{ file, line: value.line, before, after }];
}

/** The text of the pull request. */
export const pullRequest = (release, edits) => ({
  title: `${release}: more memory`,
  body: edits
    .map(({ file, line, before, after }) => `${file}:${line}: \`${before.trim()}\` → \`${after.trim()}\``)
    .join('\n'),
});
