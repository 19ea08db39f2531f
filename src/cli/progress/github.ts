import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { causesText, isBroken } from '../../cluster/diagnosis.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import { addedDetail, hasCode, messageOf, type SourcePlace } from '../../support/errors.ts';
import { printable } from '../../support/printable.ts';
import { meaningOf } from '../error-text.ts';
import type { Io } from '../io.ts';
import type { BuildMarks } from './build-marks.ts';
import type { RunModel } from './model.ts';
import type { Outcome } from './reporter.ts';
import { byCause, type Row } from './rows.ts';

const maxAnnotations = 10;

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

  own(line: string): string {
    return withoutOldCommands(line);
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
    const causes = causesByObject(failure);
    const lines = new Map((addedDetail(failure, 'sources') ?? []).map(({ id, line }) => [objectKey(id), line]));
    const failed = model.rows.filter(({ state, id }) => state === 'failed' || causes.has(objectKey(id))).sort(byCause);
    const errors = failed.slice(0, maxAnnotations).map((row) => {
      const key = objectKey(row.id);
      return this.#rowError(row, model, { cause: causes.get(key), line: lines.get(key) });
    });
    // The log has the whole text below: what the objects' annotations say is not said once more.
    if (errors.length > 0) return errors.join('');
    const place = addedDetail(failure, 'place');
    const title = `${model.action} ${model.release} ${kind}`;
    const message = messageOf(failure);
    const text = [message, meaningOf(failure)].filter((part) => part !== '').join('\n');
    return command('error', { ...this.#placeOf(place, model), title }, text);
  }

  #rowError(row: Row, { action, release, chart }: RunModel, { cause, line }: RowError): string {
    const template = chart === undefined ? undefined : templateFile(row.source, resolve(this.#io.cwd, chart));
    const file = template === undefined ? undefined : this.#fromWorkspace(template);
    const title = `${action} ${release}: ${row.label}`;
    return command('error', { file, line: file && line, title }, cause || row.reason || 'failed');
  }

  /**
   * The file on disk: templates are named by their chart's name, not by its folder's. Lines of what they made
   * (`… (rendered)`) are not theirs.
   */
  #placeOf(place: SourcePlace | undefined, { chart }: RunModel): Properties {
    if (place === undefined) return {};
    const named = place.file.replace(/ \(rendered\)$/, '');
    const path = resolve(this.#io.cwd, named);
    const onDisk = existsSync(path) ? path : chart && templateFile(named, resolve(this.#io.cwd, chart));
    if (!onDisk) return {};
    const file = this.#fromWorkspace(onDisk);
    return named === place.file ? { file, line: place.line, col: place.column } : { file };
  }

  #fromWorkspace(file: string): string {
    return relative(this.#io.env['GITHUB_WORKSPACE'] || this.#io.cwd, resolve(this.#io.cwd, file));
  }
}

interface RowError {
  readonly cause: string | undefined;
  /** Of the template, where it is known. */
  readonly line: number | undefined;
}

/**
 * What is broken below each object that was waited for, given up or not; what each still lacks if nothing is, or if the
 * time was up for all of them.
 */
function causesByObject(failure: unknown): ReadonlyMap<string, string> {
  const causes = (addedDetail(failure, 'causes') ?? []).filter(({ kind }) => kind !== 'nothing');
  const broken = causes.filter(isBroken);
  const told = broken.length > 0 && !hasCode(failure, 'wait-timeout') ? broken : causes;
  const keys = new Set(told.map(({ resource }) => objectKey(resource)));
  const textOf = (key: string): string => causesText(told.filter(({ resource }) => objectKey(resource) === key));
  return new Map([...keys].map((key) => [key, textOf(key)]));
}

/** The template on disk that a manifest's source names, whose first part is the chart's name, not its folder's. */
function templateFile(source: string, chart: string): string | undefined {
  const [, ...path] = source.split('/');
  const file = join(chart, ...path);
  return path.length > 0 && existsSync(file) ? file : undefined;
}

type Properties = Readonly<Record<string, string | number | undefined>>;

function command(name: string, properties: Properties, data: string): string {
  const given = Object.entries(properties).filter(([, value]) => value !== undefined);
  const list = given.map(([key, value]) => `${key}=${escapedProperty(String(value))}`).join(',');
  return `::${name}${list === '' ? '' : ` ${list}`}::${escapedData(printable(data))}\n`;
}

/** As @actions/core escapes them. */
const escapedData = (text: string): string =>
  text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
const escapedProperty = (text: string): string => escapedData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');

const withoutOldCommands = (text: string): string => text.replaceAll('##[', '## [');
