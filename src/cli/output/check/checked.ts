import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import type { CheckResult, Finding } from '../../../actions/check.ts';
import { type Level, levels } from '../../../problem/level.ts';
import type { Place } from '../../../problem/place.ts';
import { type Problem, placeToChange } from '../../../problem/problem.ts';
import type { SecretWords } from '../../../support/secret-words.ts';
import { evidenceLines } from '../../../words/evidence.ts';
import {
  detailLines,
  detailTexts,
  mergedLines,
  type OnDisk,
  placeOfValue,
  titleOf as titleOfProblem,
} from '../../../words/problem.ts';
import { keysText } from '../../../words/value.ts';
import type { Io } from '../../terminal/io.ts';

/** A chart that was checked, as the user named it. */
export interface CheckedChart {
  readonly reference: string;
  readonly result: CheckResult;
  readonly onDisk: OnDisk;
  /** The release of a stack that the chart was checked for, and `FILE:LINE` of it. */
  readonly release?: { readonly id: string; readonly at: string } | undefined;
}

/** `release web (helmfile.yaml:3): ./charts/web` */
export const nameOf = ({ reference, release }: CheckedChart): string =>
  release === undefined ? reference : `release ${release.id} (${release.at}): ${reference}`;

/** Whether a level is at least as heavy as another one. */
export const isAtLeast = (level: Level, limit: Level | 'never'): boolean =>
  limit !== 'never' && levels.indexOf(level) <= levels.indexOf(limit);

/** A finding as other programs read it: a text, and the line of a file in the repository. */
export interface Mark {
  readonly level: Level;
  readonly problem: Problem;
  /** `Deployment/web: unknown field spec.replica` */
  readonly title: string;
  /** Places, remedies, and what it rests on, a line each. */
  readonly details: readonly string[];
  /** Of a stack. */
  readonly release: string | undefined;
  /** Of the line to change; undefined where no file of the repository has it. */
  readonly at: FileLine | undefined;
  /** The other lines that take part: of templates, helpers, and values. */
  readonly related: readonly (FileLine & { readonly text: string })[];
}

/** Lines and columns count from 1. */
export interface FileLine {
  /** From the root of the repository, with slashes. */
  readonly file: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

type Surroundings = Pick<Io, 'env' | 'cwd'> & { readonly secrets: SecretWords };

/** The findings of a chart, marked at the line that has to be changed. Without secrets: formats escape what they would be known by. */
export function marksOf({ result, reference, onDisk, release }: CheckedChart, io: Surroundings): readonly Mark[] {
  const inFile = ({ file, line, column }: Partial<FileLine>): FileLine | undefined => {
    const found = file === undefined ? undefined : inRepository(file, io);
    return found === undefined ? undefined : { file: found, line, column };
  };
  const redact = (text: string): string => io.secrets.redact(text);
  const ofChart = inFile({ file: join(reference, 'Chart.yaml') }) ?? inFile({ file: reference });
  return result.findings.map((finding) => {
    const { level, problem } = finding;
    const { value, file, ...template } = placeToChange(problem);
    const given = value && placeOfValue(value, onDisk);
    const named = file === undefined || file === '' ? undefined : { file: onDisk(file), ...template };
    const at = (given !== undefined && 'file' in given && inFile(given)) || (named && inFile(named)) || ofChart;
    const others = linesOf(problem.places, onDisk).flatMap(({ text, ...line }) => {
      const found = inFile(line);
      return found === undefined ? [] : [{ ...found, text: redact(text) }];
    });
    return {
      level,
      problem,
      title: redact(`${release === undefined ? '' : `release ${release.id}: `}${titleOf(finding)}`),
      release: release?.id,
      details: detailsOf(problem, onDisk).map(redact),
      at,
      related: others.filter(({ file: other, line }) => other !== at?.file || line !== at.line),
    };
  });
}

/** A path from the root of the repository; undefined of what is outside, or not there. */
function inRepository(path: string, { env, cwd }: Pick<Surroundings, 'env' | 'cwd'>): string | undefined {
  const root = env['GITHUB_WORKSPACE'] || env['CI_PROJECT_DIR'] || repositoryOf(cwd) || cwd;
  const absolute = resolve(cwd, path);
  const file = relative(root, absolute);
  return file.startsWith('..') || isAbsolute(file) || !existsSync(absolute) ? undefined : file.replaceAll('\\', '/');
}

function repositoryOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : repositoryOf(dirname(folder));
}

interface NamedLine {
  readonly file: string;
  readonly line?: number | undefined;
  readonly text: string;
}

function linesOf(places: readonly Place[], onDisk: OnDisk): readonly NamedLine[] {
  return places.flatMap((place): readonly NamedLine[] => {
    switch (place.kind) {
      case 'field':
        return linesOf([...(place.lines ?? []), ...(place.values ?? [])], onDisk);
      case 'value': {
        const given = placeOfValue(place, onDisk);
        if (given === undefined || 'flag' in given) return [];
        return [{ ...given, text: `${keysText(place.keys)} is set here` }];
      }
      case 'template':
      case 'file':
        return [{ file: onDisk(place.file), line: place.line, text: place.written ?? 'this line takes part' }];
    }
  });
}

export const detailsOf = (problem: Problem, onDisk: OnDisk): readonly string[] => [
  ...detailTexts(mergedLines(detailLines(problem, onDisk))),
  ...evidenceLines(problem, 'message').map((line) => `Helm's error: ${line}`),
];

export const titleOf = ({ problem, versions }: Finding): string =>
  `${titleOfProblem(problem)}${versionsText(versions)}`;

/** ` (Kubernetes 1.34)`; '' where it holds for all that were asked about. */
export const versionsText = (versions: Finding['versions']): string =>
  versions === undefined ? '' : ` (Kubernetes ${versions.join(', ')})`;

/** `2 errors, 1 warning` */
export function countsText(found: readonly { readonly level: Level }[]): string {
  const counts = levels.map((level) => ({ level, count: found.filter((one) => one.level === level).length }));
  const texts = counts
    .filter(({ count }) => count > 0)
    .map(({ level, count }) => `${count} ${level}${count === 1 ? '' : 's'}`);
  return texts.length === 0 ? 'nothing found' : texts.join(', ');
}
