import { relative, resolve } from 'node:path';
import type { CheckResult, Finding } from '../../../actions/check.ts';
import { type Level, levels } from '../../../problem/level.ts';
import { placeToChange } from '../../../problem/problem.ts';
import { evidenceLines } from '../../../words/evidence.ts';
import { factText } from '../../../words/fact.ts';
import { detailLines, detailTexts, labelOf, mergedLines, type OnDisk, placeOfValue } from '../../../words/problem.ts';
import type { Io } from '../../terminal/io.ts';

/** A chart that was checked, as the user named it. */
export interface CheckedChart {
  readonly reference: string;
  readonly result: CheckResult;
  readonly onDisk: OnDisk;
}

/** Whether a level is at least as heavy as another one. */
export const isAtLeast = (level: Level, limit: Level): boolean => levels.indexOf(level) <= levels.indexOf(limit);

/** A finding as other programs read it: a text, and the line of a file in the repository. */
export interface Mark {
  readonly level: Level;
  readonly code: string;
  /** `Deployment/web: unknown field spec.replica` */
  readonly title: string;
  /** Places, remedies, and what it rests on, a line each. */
  readonly details: readonly string[];
  /** From the root of the repository; undefined where there is no file. */
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column: number | undefined;
}

/** Marks stand at the line that has to be changed: that of the template, or else of the value. */
export function marksOf(
  { result, reference, onDisk }: CheckedChart,
  { env, cwd }: Pick<Io, 'env' | 'cwd'>,
): readonly Mark[] {
  const root = env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || cwd;
  return result.findings.map(({ level, problem }) => {
    const { value, ...template } = placeToChange(problem);
    const given = value && placeOfValue(value, onDisk);
    const at = given !== undefined && 'file' in given ? { ...given, column: undefined } : template;
    const named = at.file === undefined || at.file === '' ? reference : onDisk(at.file);
    return {
      level,
      code: problem.code,
      title: titleOf({ level, problem }),
      details: [
        ...detailTexts(mergedLines(detailLines(problem, onDisk))),
        ...evidenceLines(problem, 'message').map((line) => `Helm's error: ${line}`),
      ],
      file: relative(root, resolve(cwd, named)),
      line: at.line,
      column: at.column,
    };
  });
}

export function titleOf({ problem, versions }: Finding): string {
  const label = labelOf(problem);
  const where = versions === undefined ? '' : ` (Kubernetes ${versions.join(', ')})`;
  return `${label === '' ? '' : `${label}: `}${factText(problem.cause)}${where}`;
}

/** `2 errors, 1 warning` */
export function countsText(found: readonly { readonly level: Level }[]): string {
  const counts = levels.map((level) => ({ level, count: found.filter((one) => one.level === level).length }));
  const texts = counts
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${level}${count === 1 ? '' : 's'}`);
  return texts.length === 0 ? 'nothing found' : texts.join(', ');
}
