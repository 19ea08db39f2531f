import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { type ObjectProblem, placeToChange } from '../../problem/problem.ts';
import { type CommandProperties, workflowCommand } from '../../show/workflow-command.ts';
import { addedDetail, type Fault, messageOf, type SourcePlace } from '../../support/errors.ts';
import { factText } from '../../words/fact.ts';
import { chartFile, onDisk } from '../errors/chart-file.ts';
import { mistakeOf, wrongValuePlace } from '../errors/decide.ts';
import { meaningOf } from '../errors/error-text.ts';
import { commandPrefix, detailLines, faultsOf, placeOfValue, setTo, unjudgedOf } from '../errors/fault-text.ts';
import { mistakeNote } from '../errors/mistake-text.ts';
import type { Io } from '../terminal/io.ts';
import type { BuildMarks } from './build-marks.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { byCause, objectLabel } from './rows.ts';

const maxAnnotations = 10;

/** What stands beside the faults may be what lies behind them: values that reach nothing, objects that were not judged. */
function notesWarning({ action, release }: RunModel, failure: unknown): string {
  const notes = addedDetail(failure, 'notes') ?? [];
  return notes.length === 0 ? '' : command('warning', { title: `${action} ${release}: see also` }, notes.join('\n'));
}

/**
 * Workflow commands of GitHub Actions: groups, and errors as annotations. The runner takes `::name::` at the start of a
 * line and `##[name]` anywhere in one for commands, whoever wrote it: what others wrote stands between
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
    const objects = faultsOf(failure).slice(0, maxAnnotations);
    if (objects.length > 0)
      return [
        ...objects.map((fault) => this.#objectMark('error', fault, model)),
        ...unjudgedOf(failure).map((fault) => this.#objectMark('warning', fault, model)),
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
    const title = `${model.action} ${model.release} ${kind}`;
    const mistake = this.#mistakeErrors(title, failure, model);
    if (mistake !== undefined) return mistake;
    // The title says what failed.
    const message = messageOf(failure).replace(commandPrefix(messageOf(failure)), '');
    const whole = [message, meaningOf(failure)].filter((part) => part !== '').join('\n');
    const place = addedDetail(failure, 'place');
    const faults = addedDetail(failure, 'faults') ?? [];
    if (place === undefined && faults.length > 0) {
      const [only, another] = faults;
      return faults
        .slice(0, maxAnnotations)
        .map((fault) => {
          const isAll = another === undefined && fault === only && !whole.includes(fault.text);
          const said = withOrigin(fault);
          const text = [isAll ? `${said}\n${whole}` : said, fault.fix ?? ''].filter((part) => part !== '').join('\n');
          return command('error', { ...this.#file(fault.file, fault, model), title }, text);
        })
        .join('');
    }
    return command('error', { ...this.#placeOf(place, faults[0], model), title }, whole);
  }

  /** A mistake in a template: at the line of the value that it cannot work with or misses, otherwise at its own. */
  #mistakeErrors(title: string, failure: unknown, model: RunModel): string | undefined {
    const mistake = mistakeOf(failure);
    if (mistake === undefined) return undefined;
    const value = addedDetail(failure, 'value')?.();
    const wrong = value && wrongValuePlace(value);
    const at =
      wrong === undefined
        ? this.#placeOf(addedDetail(failure, 'place'), addedDetail(failure, 'faults')?.[0], model)
        : this.#file(wrong.file, { line: wrong.line }, model);
    return command('error', { ...at, title }, mistakeNote(mistake, onDisk(model.chart, this.#io.cwd)));
  }

  /** At the line that has to be changed: that of the value, of the field, or where the object begins. */
  #objectMark(level: 'error' | 'warning', fault: ObjectProblem, model: RunModel): string {
    const label = objectLabel(fault.subject.id, model.namespace);
    const state = fault.state === 'foreseen' ? ' would fail' : fault.state === 'unjudged' ? ', not judged' : '';
    const title = `${model.action} ${model.release}${state}: ${label}`;
    const named = onDisk(model.chart, this.#io.cwd);
    const { value, ...template } = placeToChange(fault);
    const given = value && placeOfValue(value, named);
    const at = given !== undefined && 'file' in given ? given : template;
    const text = [`${label}: ${factText(fault.cause)}`, ...detailLines(fault, named)].join('\n');
    return command(level, { ...this.#file(at.file, at, model), title }, text);
  }

  /** Lines of what a template made (`… (rendered)`) are not its own: the one that made them stands in `fault`. */
  #placeOf(place: SourcePlace | undefined, fault: Fault | undefined, model: RunModel): CommandProperties {
    if (place === undefined) return {};
    const isRendered = place.file.endsWith(' (rendered)');
    if (!isRendered) return this.#file(place.file, { line: place.line, col: place.column }, model);
    return this.#file(place.file.replace(/ \(rendered\)$/, ''), { line: fault?.line }, model);
  }

  /** The file from the root of the repository; templates are named by their chart's name, not by its folder's. */
  #file(
    named: string | undefined,
    at: { readonly line?: number | undefined; readonly col?: number | undefined },
    model: RunModel,
  ) {
    const { cwd, env } = this.#io;
    if (!named) return {};
    const found = existsSync(resolve(cwd, named)) ? named : chartFile(named, model.chart, cwd);
    if (found === undefined) return {};
    return { file: relative(env['GITHUB_WORKSPACE'] || cwd, resolve(cwd, found)), line: at.line, col: at.col };
  }
}

const command = (...parts: Parameters<typeof workflowCommand>): string => `${workflowCommand(...parts)}\n`;

/** `replicas: got string, want integer (set to "two" by --set)`: what no file has that could be marked. */
const withOrigin = ({ text, value, flag }: Fault): string =>
  flag === undefined ? text : `${text} (${setTo(value)}by ${flag})`;

const withoutOldCommands = (text: string): string => text.replaceAll('##[', '## [');
