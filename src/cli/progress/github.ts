import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { causesText, isBroken } from '../../cluster/diagnosis.ts';
import type { ObjectSource } from '../../execute/sources.ts';
import { objectKey } from '../../manifest/resource-id.ts';
import { addedDetail, type Fault, hasCode, messageOf, type SourcePlace } from '../../support/errors.ts';
import { printable } from '../../support/printable.ts';
import { chartFile } from '../chart-file.ts';
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
    const sources = new Map((addedDetail(failure, 'sources') ?? []).map((source) => [objectKey(source.id), source]));
    const failed = model.rows.filter(({ state, id }) => state === 'failed' || causes.has(objectKey(id))).sort(byCause);
    const errors = failed.slice(0, maxAnnotations).map((row) => {
      const key = objectKey(row.id);
      return this.#rowError(row, model, { cause: causes.get(key), line: lineOf(sources.get(key)) });
    });
    // The log has the whole text below: what the objects' annotations say is not said once more.
    if (errors.length > 0) return [...errors, ...this.#alsoRefused(model, failure, failed)].join('');
    const title = `${model.action} ${model.release} ${kind}`;
    const whole = [messageOf(failure), meaningOf(failure)].filter((part) => part !== '').join('\n');
    const place = addedDetail(failure, 'place');
    const faults = faultsOf(failure);
    if (place === undefined && faults.length > 0) {
      const [only, another] = faults;
      return faults
        .slice(0, maxAnnotations)
        .map((fault) => {
          const isAll = another === undefined && fault === only && !whole.includes(fault.text);
          const text = isAll ? `${fault.text}\n${whole}` : fault.text;
          return command('error', { ...this.#file(fault.file, fault, model), title }, text);
        })
        .join('');
    }
    return command('error', { ...this.#placeOf(place, faults[0], model), title }, whole);
  }

  /** What would be refused in the next run, where the objects that failed leave room. */
  #alsoRefused(model: RunModel, failure: unknown, failed: readonly Row[]): readonly string[] {
    const names = new Set(failed.map(({ id }) => objectKey(id)));
    const refused = (addedDetail(failure, 'alsoRefused') ?? []).filter(({ id }) => !names.has(objectKey(id)));
    const sources = addedDetail(failure, 'sources') ?? [];
    return refused.slice(0, Math.max(0, maxAnnotations - names.size)).map(({ id, file, problem }) => {
      const line = lineOf(sources.find((source) => source.file === file && objectKey(source.id) === objectKey(id)));
      const title = `${model.action} ${model.release} would fail`;
      return command('error', { ...this.#file(file, { line }, model), title }, `${id.kind}/${id.name}: ${problem}`);
    });
  }

  #rowError(row: Row, model: RunModel, { cause, line }: RowError): string {
    const title = `${model.action} ${model.release}: ${row.label}`;
    const text = `${row.label}: ${cause || row.reason || 'failed'}`;
    return command('error', { ...this.#file(row.source, { line }, model), title }, text);
  }

  /** Lines of what a template made (`… (rendered)`) are not its own: the one that made them stands in `fault`. */
  #placeOf(place: SourcePlace | undefined, fault: Fault | undefined, model: RunModel): Properties {
    if (place === undefined) return {};
    const isRendered = place.file.endsWith(' (rendered)');
    if (!isRendered) return this.#file(place.file, { line: place.line, col: place.column }, model);
    return this.#file(place.file.replace(/ \(rendered\)$/, ''), { line: fault?.line }, model);
  }

  /** The file from the root of the repository; templates are named by their chart's name, not by its folder's. */
  #file(named: string, at: { readonly line?: number | undefined; readonly col?: number | undefined }, model: RunModel) {
    const { cwd, env } = this.#io;
    const found = existsSync(resolve(cwd, named)) ? named : chartFile(named, model.chart, cwd);
    if (found === undefined) return {};
    return { file: relative(env['GITHUB_WORKSPACE'] || cwd, resolve(cwd, found)), line: at.line, col: at.col };
  }
}

/** The first field at fault, or where its object begins. */
const lineOf = (source: ObjectSource | undefined): number | undefined =>
  source?.fields?.find(({ line }) => line !== undefined)?.line ?? source?.line;

/** What is wrong where in the user's files: as the failure says it, or the objects that it is about. */
function faultsOf(failure: unknown): readonly Fault[] {
  const faults = addedDetail(failure, 'faults') ?? [];
  if (faults.length > 0) return faults;
  return (addedDetail(failure, 'sources') ?? []).map((source) => {
    const { id, file, problem = 'is refused' } = source;
    return { file, line: lineOf(source), text: `${id.kind}/${id.name}: ${problem}` };
  });
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
