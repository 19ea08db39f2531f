import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { isOfObject, type Problem, perDeclaration, placeToChange } from '../../problem/problem.ts';
import { workflowCommand } from '../../show/workflow-command.ts';
import { addedDetail, messageOf } from '../../support/errors.ts';
import { evidenceLines } from '../../words/evidence.ts';
import { factText } from '../../words/fact.ts';
import { detailLines, detailTexts, mergedLines, placeOfValue } from '../../words/problem.ts';
import { onDisk } from '../errors/chart-file.ts';
import { remediesText } from '../errors/error-text.ts';
import { commandOf, knownProblems, unjudgedProblems } from '../errors/problems-text.ts';
import type { Io } from '../terminal/io.ts';
import type { BuildMarks } from './build-marks.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { byCause, objectLabel } from './rows.ts';

const maxAnnotations = 10;

/** What is beside the faults may be what lies behind them: values that reach nothing, objects that were not judged. */
function notesWarning({ action, release }: RunModel, failure: unknown): string {
  const notes = addedDetail(failure, 'notes') ?? [];
  return notes.length === 0 ? '' : command('warning', { title: `${action} ${release}: see also` }, notes.join('\n'));
}

/**
 * Workflow commands of GitHub Actions: groups, and errors as annotations. The runner takes `::name::` at the start of a
 * line and `##[name]` anywhere in one for commands, whoever wrote it: what others wrote is between
 * `::stop-commands::` and a token that nobody can foresee, and the second form is broken up.
 */
export class GithubMarks implements BuildMarks {
  readonly #io: Pick<Io, 'env' | 'cwd'>;
  #isGroupOpen = false;
  #token: string | undefined;

  constructor(io: Pick<Io, 'env' | 'cwd'>) {
    this.#io = io;
  }

  openGroup(title: string): string {
    const before = this.closeGroup();
    this.#isGroupOpen = true;
    return `${before}${command('group', {}, title)}`;
  }

  closeGroup(): string {
    const wasOpen = this.#isGroupOpen;
    this.#isGroupOpen = false;
    return wasOpen ? command('endgroup', {}, '') : '';
  }

  foreign(lines: string): string {
    return `${this.#stop()}${withoutOldCommands(lines)}${this.#start()}`;
  }

  failures(model: RunModel, outcome: Outcome): string {
    return outcome.kind === 'succeeded' ? '' : this.#errors(model, outcome);
  }

  end(): string {
    return this.#stop();
  }

  close(): string {
    return this.#start();
  }

  #stop(): string {
    this.#token = randomBytes(16).toString('hex');
    return `::stop-commands::${this.#token}\n`;
  }

  #start(): string {
    const token = this.#token;
    this.#token = undefined;
    return token === undefined ? '' : `::${token}::\n`;
  }

  #errors(model: RunModel, { kind, failure }: Exclude<Outcome, { kind: 'succeeded' }>): string {
    const problems = knownProblems(failure).slice(0, maxAnnotations);
    if (problems.length > 0)
      return [
        ...problems.flatMap(perDeclaration).map((problem) => this.#mark('error', problem, model)),
        ...unjudgedProblems(failure).map((problem) => this.#mark('warning', problem, model)),
        notesWarning(model, failure),
      ].join('');
    const failed = model.rows.filter(({ state }) => state === 'failed').sort(byCause);
    const errors = failed.slice(0, maxAnnotations).map((row) => {
      const title = `${model.action} ${model.release}: ${row.label}`;
      return command(
        'error',
        { ...this.#file(row.source, {}, model), title },
        `${row.label}: ${row.reason || 'failed'}`,
      );
    });
    // The log has the whole text below: what the objects' annotations say is not said once more.
    if (errors.length > 0) return errors.join('');
    // The title says what failed.
    const message = messageOf(failure).slice(commandOf(failure).length);
    const place = addedDetail(failure, 'place');
    const at = place && this.#file(place.file, place, model);
    const title = `${model.action} ${model.release} ${kind}`;
    return command(
      'error',
      { ...at, title },
      [message, remediesText(failure)].filter((text) => text !== '').join('\n'),
    );
  }

  #mark(level: 'error' | 'warning', problem: Problem, model: RunModel): string {
    const label = isOfObject(problem) ? objectLabel(problem.subject.id, model.namespace) : '';
    const state = problem.state === 'foreseen' ? ' would fail' : problem.state === 'unjudged' ? ', not judged' : '';
    const title = `${model.action} ${model.release}${label === '' ? ' failed' : `${state}: ${label}`}`;
    return problemMark(level, problem, { title, label, chart: model.chart }, this.#io);
  }

  #file(named: string, at: Position, model: RunModel) {
    return fileProperties(onDisk(model.chart, this.#io.cwd)(named), at, this.#io);
  }
}

interface Position {
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

interface MarkText {
  readonly title: string;
  /** Of an object: `Deployment/web`. */
  readonly label?: string | undefined;
  /** The chart as the user named it. */
  readonly chart: string | undefined;
}

type Surroundings = Pick<Io, 'env' | 'cwd'>;

/** A problem as an annotation at the line that has to be changed: that of the value, of the field, or where the object begins. */
export function problemMark(
  level: 'error' | 'warning',
  problem: Problem,
  { title, label = '', chart }: MarkText,
  io: Surroundings,
): string {
  const named = onDisk(chart, io.cwd);
  const { value, ...template } = placeToChange(problem);
  const given = value && placeOfValue(value, named);
  const { file } = template;
  const at = given !== undefined && 'file' in given ? given : { ...template, file: file && named(file) };
  const words = evidenceLines(problem, 'message');
  const text = [
    `${label === '' ? '' : `${label}: `}${factText(problem.cause)}`,
    ...detailTexts(mergedLines(detailLines(problem, named))),
    ...(isOfObject(problem) ? [] : words.map((line) => `Helm's error: ${line}`)),
  ].join('\n');
  return command(level, { ...fileProperties(at.file, at, io), title }, text);
}

/** A file on disk, from the root of the repository. */
function fileProperties(file: string | undefined, at: Position, { cwd, env }: Surroundings) {
  if (!file || !existsSync(resolve(cwd, file))) return {};
  return { file: relative(env['GITHUB_WORKSPACE'] || cwd, resolve(cwd, file)), line: at.line, col: at.column };
}

const command = (...parts: Parameters<typeof workflowCommand>): string => `${workflowCommand(...parts)}\n`;

const withoutOldCommands = (text: string): string => text.replaceAll('##[', '## [');
