// A bot that answers a deploy that ran out of memory with a pull request: it reads problems, and no sentence.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Problem, Remedy, TshelmError } from 'tshelm';

export interface Edit {
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
}

type FieldChange = Extract<Remedy, { kind: 'change-field' }>;

/**
 * The edits that give a program more memory: for each problem whose remedy is to raise a limit of memory, the line of
 * values that sets it, with twice as much. [] where a failure has no such problem, or no line is known.
 */
export const memoryEdits = ({ problems }: TshelmError, chartFolder: string): Edit[] =>
  problems.flatMap((problem) =>
    problem.remedies.filter(raisesMemory).flatMap(({ path }) => editOf(problem, path, chartFolder)),
  );

const raisesMemory = (remedy: Remedy): remedy is FieldChange =>
  remedy.kind === 'change-field' && remedy.how === 'raise' && remedy.path.slice(-2).join('.') === 'limits.memory';

function editOf({ places }: Problem, path: FieldChange['path'], chartFolder: string): Edit[] {
  const values = places.flatMap((place) =>
    place.kind === 'field' && place.path.join() === path.join() ? (place.values ?? []) : [],
  );
  const { file = '', line } = values.find((value) => value.line !== undefined) ?? {};
  if (line === undefined) return [];
  // Files of a chart are named with the chart's name before them, which its folder need not have.
  const valuesFile = join(chartFolder, file.split('/').slice(1).join('/'));
  const before = readFileSync(valuesFile, 'utf8').split('\n')[line - 1] ?? '';
  const after = before.replace(/(\d+)([KMGT]i?)/, (_, amount, unit) => `${Number(amount) * 2}${unit}`);
  return after === before ? [] : [{ file: valuesFile, line, before, after }];
}

/** The text of the pull request. */
export const pullRequest = (release: string, edits: readonly Edit[]): { title: string; body: string } => ({
  title: `${release}: more memory`,
  body: edits
    .map(({ file, line, before, after }) => `${file}:${line}: \`${before.trim()}\` → \`${after.trim()}\``)
    .join('\n'),
});
