import { parseDuration } from '../go/time/duration.ts';
import { GoError } from '../go/value.ts';
import { TshelmError } from '../support/errors.ts';
import { type FileLine, fileLineText } from '../support/file-line.ts';
import { type Fields, isObject } from '../support/json.ts';
import { nearest } from '../support/near.ts';
import { orList } from '../support/text.ts';
import { lineOfKeys, readOwnYaml, YamlError } from '../yaml/index.ts';
import { needForms, readNeed } from './need.ts';

/** An order that is declared outside of a chart (docs/ordering.md, 8). */
export interface OrderFile {
  readonly name: string;
  /** Of several that select a resource, the last one decides. */
  readonly resources: readonly ResourceRule[];
  readonly charts: readonly ChartRule[];
  /** The edges that are certain are followed too (docs/ordering.md, 9). */
  readonly derive?: boolean | undefined;
  /** What the whole release waits for outside of it (docs/ordering.md, 11). */
  readonly needs?: NeedList | undefined;
}

/** Needs, and the line that they are declared in. */
export interface NeedList {
  readonly place: FileLine;
  readonly needs: readonly string[];
}

/** What resources declare as if their templates did. */
export interface ResourceRule {
  readonly place: FileLine;
  readonly select: Selector;
  readonly group?: string | undefined;
  readonly dependsOn?: { readonly groups: readonly string[]; readonly charts: readonly string[] } | undefined;
  readonly weight?: number | undefined;
  readonly readiness?: ConditionReadiness | CelReadiness | undefined;
  /** What they wait for outside of the release. */
  readonly needs?: readonly string[] | undefined;
  /** How long the hooks that it selects may run, in seconds; such a rule selects hooks and nothing else. */
  readonly timeout?: number | undefined;
}

/** Conditions on the status, as in `helm.sh/readiness-success` and its twin. */
export interface ConditionReadiness {
  readonly success: readonly string[];
  readonly failure: readonly string[];
}

/** CEL over the fields of the object, as in a file of health checks (docs/waiting.md). */
export interface CelReadiness {
  readonly current: string;
  readonly inProgress?: string | undefined;
  readonly failed?: string | undefined;
}

/** All that it names must fit; of several patterns one. `*` stands for any text. */
export interface Selector {
  readonly kind: readonly string[];
  readonly name: readonly string[];
  /** Paths of subcharts below the chart, such as `backend/database`; `.` is the chart's own resources. */
  readonly chart: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** What a chart declares about its subcharts, as if its Chart.yaml did. */
export interface ChartRule {
  readonly place: FileLine;
  /** The path of a subchart, or of a chart's own resources: `backend/database`, `.`, `backend/.`. */
  readonly chart: string;
  /** Names of subcharts beside it; of those of the chart itself for its own resources. */
  readonly dependsOn?: readonly string[] | undefined;
  readonly runHooksInParallel?: 'false' | 'otherChartsOnly' | 'true' | undefined;
}

/** What an order file says, as programs write it. */
export interface OrderDeclarations {
  readonly resources?: readonly DeclaredResourceRule[] | undefined;
  readonly charts?: readonly Omit<ChartRule, 'place'>[] | undefined;
  readonly derive?: boolean | undefined;
  readonly needs?: readonly string[] | undefined;
}

export interface DeclaredResourceRule
  extends Omit<ResourceRule, 'place' | 'select' | 'dependsOn' | 'readiness' | 'timeout'> {
  readonly select: { readonly [Part in keyof Selector]?: Selector[Part] | string | undefined };
  /** A list of names is of groups. */
  readonly dependsOn?:
    | readonly string[]
    | { readonly groups?: readonly string[]; readonly charts?: readonly string[] }
    | undefined;
  readonly readiness?: (Pick<ConditionReadiness, 'success'> & Partial<ConditionReadiness>) | CelReadiness | undefined;
  /** How long the hooks that it selects may run: seconds, or a duration such as `5m`. */
  readonly timeout?: number | string | undefined;
}

/** The order in a YAML or JSON text; `name` is what messages call it. Errors: `order-file-invalid` with every mistake. */
export function readOrderFile(text: string, name: string): OrderFile {
  try {
    return orderFileOf(readOwnYaml(text), name, (path) => lineOfKeys(text, path));
  } catch (cause) {
    if (cause instanceof YamlError)
      throw orderFileError([`${name}: ${cause.message}`], { lines: [cause.line || undefined], cause });
    throw cause;
  }
}

/** The same of what a YAML or JSON text says. `lineOf` finds the line of a key. */
export function orderFileOf(
  content: unknown,
  name: string,
  lineOf: (path: readonly string[]) => number | undefined = () => undefined,
): OrderFile {
  const reader = new Reader(name, lineOf);
  const file = reader.file(content);
  if (reader.mistakes.length > 0) throw orderFileError(reader.mistakes, { lines: reader.lines });
  return file;
}

/** `lines`: of the file, of each mistake where it is known. */
const orderFileError = (
  mistakes: readonly string[],
  { lines, cause }: { readonly lines?: readonly (number | undefined)[]; readonly cause?: unknown } = {},
): TshelmError<'order-file-invalid'> =>
  new TshelmError('order-file-invalid', {
    message: mistakes.join('\n'),
    details: { mistakes, ...(lines && { lines }) },
    cause,
  });

/** Of rules that can be read, and do not fit the chart. */
export const misfitError = (
  mistakes: readonly { readonly place: FileLine; readonly text: string }[],
): TshelmError<'order-file-invalid'> =>
  orderFileError(
    mistakes.map(({ place, text }) => `${fileLineText(place)}: ${text}`),
    { lines: mistakes.map(({ place }) => place.line) },
  );

const ruleKeys = ['select', 'group', 'dependsOn', 'weight', 'readiness', 'needs', 'timeout'];
const selectorKeys = ['kind', 'name', 'chart', 'labels'];
const chartKeys = ['chart', 'dependsOn', 'runHooksInParallel'];
const celKeys = ['current', 'inProgress', 'failed'];
const hookModes = ['false', 'otherChartsOnly', 'true'] as const;

type Path = readonly string[];

class Reader {
  readonly mistakes: string[] = [];
  readonly lines: (number | undefined)[] = [];
  readonly #name: string;
  readonly #lineOf: (path: Path) => number | undefined;

  constructor(name: string, lineOf: (path: Path) => number | undefined) {
    this.#name = name;
    this.#lineOf = lineOf;
  }

  file(content: unknown): OrderFile {
    const fields = this.#map(content, [], ['resources', 'charts', 'derive', 'needs']);
    const needs = this.#needs(fields['needs'], ['needs']);
    const file = {
      name: this.#name,
      derive: this.#truth(fields['derive'], ['derive']),
      needs: needs && { place: this.#place(['needs']), needs },
      resources: this.#list(fields['resources'], ['resources']).map((one, index) =>
        this.#resourceRule(one, ['resources', String(index)]),
      ),
      charts: this.#list(fields['charts'], ['charts']).map((one, index) =>
        this.#chartRule(one, ['charts', String(index)]),
      ),
    };
    const saysNothing = file.resources.length + file.charts.length === 0 && !file.derive && needs === undefined;
    if (saysNothing && this.mistakes.length === 0)
      this.#complain([], 'an order file needs resources or charts that it orders, needs, or derive: true');
    return file;
  }

  #resourceRule(value: unknown, path: Path): ResourceRule {
    const fields = this.#map(value, path, ruleKeys);
    const select = this.#selector(fields['select'], [...path, 'select']);
    const mistakesBefore = this.mistakes.length;
    const rule: ResourceRule = {
      place: this.#place(path),
      select,
      group: this.#oneName(fields['group'], [...path, 'group']),
      dependsOn: this.#dependsOn(fields['dependsOn'], [...path, 'dependsOn']),
      weight: this.#weight(fields['weight'], [...path, 'weight']),
      readiness: this.#readiness(fields['readiness'], [...path, 'readiness']),
      needs: this.#needs(fields['needs'], [...path, 'needs']),
      timeout: this.#timeout(fields['timeout'], [...path, 'timeout']),
    };
    this.#checkRule(rule, path, this.mistakes.length > mistakesBefore);
    return rule;
  }

  /** What a rule says wrongly, it says: then nothing of it is missed. */
  #checkRule(rule: ResourceRule, path: Path, isMistaken: boolean): void {
    const isOrdered = rule.group !== undefined || rule.dependsOn !== undefined;
    const saysMore = isOrdered || [rule.weight, rule.readiness, rule.needs].some((one) => one !== undefined);
    if (!saysMore && rule.timeout === undefined && !isMistaken)
      this.#complain(
        path,
        'this rule says nothing of what it selects: add group, dependsOn, weight, readiness, needs or timeout',
      );
    if (saysMore && rule.timeout !== undefined)
      this.#complain([...path, 'timeout'], 'timeout is for hooks, which have no other key; give it a rule of its own');
    if (isOrdered && rule.weight !== undefined)
      this.#complain([...path, 'weight'], 'a resource has either a weight, or a group and what that depends on');
  }

  #selector(value: unknown, path: Path): Selector {
    const fields = this.#map(value, path, selectorKeys);
    const given = selectorKeys.filter((key) => fields[key] !== undefined);
    if (Object.values(fields).every((one) => one === undefined))
      this.#complain(path, `a rule selects by ${orList(selectorKeys)}`);
    // Without this, a list that a template left empty would select everything.
    for (const key of given)
      if (isEmpty(fields[key])) this.#complain([...path, key], `${key} is empty; leave it out to select any`);
    return {
      kind: this.#names(fields['kind'], [...path, 'kind']),
      name: this.#names(fields['name'], [...path, 'name']),
      chart: this.#names(fields['chart'], [...path, 'chart']),
      labels: this.#labels(fields['labels'], [...path, 'labels']),
    };
  }

  #labels(value: unknown, path: Path): Selector['labels'] {
    const labels = Object.entries(this.#map(value, path));
    for (const [label, one] of labels)
      if (!['string', 'number', 'boolean'].includes(typeof one))
        this.#complain(
          [...path, label],
          `the label ${label} is selected by a text, and this is ${JSON.stringify(one)}`,
        );
    return Object.fromEntries(labels.map(([label, one]) => [label, String(one)]));
  }

  #dependsOn(value: unknown, path: Path): ResourceRule['dependsOn'] {
    if (value === undefined || value === null) return undefined;
    // A list of names is of groups.
    if (Array.isArray(value) || typeof value === 'string') return { groups: this.#names(value, path), charts: [] };
    const fields = this.#map(value, path, ['groups', 'charts']);
    return {
      groups: this.#names(fields['groups'], [...path, 'groups']),
      charts: this.#names(fields['charts'], [...path, 'charts']),
    };
  }

  #weight(value: unknown, path: Path): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value)) return value;
    this.#complain(path, 'weight must be a whole number');
    return undefined;
  }

  #timeout(value: unknown, path: Path): number | undefined {
    if (value === undefined || value === null) return undefined;
    const seconds = typeof value === 'string' ? secondsIn(value) : value;
    if (typeof seconds === 'number' && Number.isSafeInteger(seconds) && seconds > 0) return seconds;
    this.#complain(path, 'timeout must be a whole number of seconds, such as 90, or a duration such as 5m');
    return undefined;
  }

  #readiness(value: unknown, path: Path): ResourceRule['readiness'] {
    if (value === undefined || value === null) return undefined;
    const fields = this.#map(value, path, ['success', 'failure', ...celKeys]);
    if (celKeys.some((key) => key in fields)) return this.#celReadiness(fields, path);
    const conditions = (key: string): readonly string[] => this.#list(fields[key], [...path, key]).map(String);
    const [success, failure] = [conditions('success'), conditions('failure')];
    if (success.length === 0)
      this.#complain(path, 'readiness needs at least one success condition, or current, an expression in CEL');
    return { success, failure };
  }

  #celReadiness({ success, failure, ...expressions }: Fields, path: Path): CelReadiness {
    const { current = '', ...others } = expressions;
    if (current === '')
      this.#complain(path, 'readiness needs current, an expression in CEL that is true when it is ready');
    if (success !== undefined || failure !== undefined)
      this.#complain(path, 'readiness has either success and failure, or current, inProgress and failed');
    const texts = Object.entries(others).map(([key, text]) => [key, String(text)]);
    return { current: String(current), ...Object.fromEntries(texts) };
  }

  #chartRule(value: unknown, path: Path): ChartRule {
    const fields = this.#map(value, path, chartKeys);
    const { runHooksInParallel } = fields;
    const dependsOn = fields['dependsOn'] ?? undefined;
    const mode = hookModes.find((one) => one === String(runHooksInParallel));
    if (runHooksInParallel !== undefined && mode === undefined)
      this.#complain([...path, 'runHooksInParallel'], `runHooksInParallel is one of ${orList(hookModes)}`);
    if (dependsOn === undefined && runHooksInParallel === undefined)
      this.#complain(path, 'this rule says nothing of its chart: add dependsOn or runHooksInParallel');
    const chart = this.#oneName(fields['chart'], [...path, 'chart']);
    if (chart === undefined)
      this.#complain(path, 'chart is the path of a subchart, or "." for the resources of the chart itself');
    return {
      place: this.#place(path),
      chart: chart ?? '',
      dependsOn: dependsOn === undefined ? undefined : this.#names(dependsOn, [...path, 'dependsOn']),
      runHooksInParallel: mode,
    };
  }

  /** Undefined where there are none. */
  #needs(value: unknown, path: Path): readonly string[] | undefined {
    const items = this.#list(value, path).map(String);
    for (const [index, item] of items.entries())
      if (readNeed(item) === undefined)
        this.#complain(
          [...path, String(index)],
          `${JSON.stringify(item)} is not a valid dependency; write ${needForms}`,
        );
    return items.length === 0 ? undefined : [...new Set(items)];
  }

  #names(value: unknown, path: Path): readonly string[] {
    if (!Array.isArray(value)) return [this.#oneName(value, path) ?? []].flat();
    return value.flatMap((item, index) => this.#aName(item, [...path, String(index)]) ?? []);
  }

  #oneName(value: unknown, path: Path): string | undefined {
    return value === undefined || value === null ? undefined : this.#aName(value, path);
  }

  #aName(value: unknown, path: Path): string | undefined {
    if (typeof value === 'string' && nameForm.test(value)) return value;
    this.#complain(path, `${JSON.stringify(value)} is not a name`);
    return undefined;
  }

  #truth(value: unknown, path: Path): boolean {
    if (typeof value === 'boolean') return value;
    if (value !== undefined && value !== null) this.#complain(path, `${path.at(-1)} must be true or false`);
    return false;
  }

  #list(value: unknown, path: Path): readonly unknown[] {
    if (value === undefined || value === null) return [];
    if (Array.isArray(value)) return value;
    this.#complain(path, `${path.at(-1)} must be a list`);
    return [];
  }

  #map(value: unknown, path: Path, keys?: readonly string[]): Fields {
    if (value === undefined || value === null) return {};
    if (!isObject(value)) {
      this.#complain(path, `${path.at(-1) ?? 'an order file'} must be a mapping`);
      return {};
    }
    for (const key of keys === undefined ? [] : Object.keys(value)) {
      if (keys?.includes(key)) continue;
      const meant = nearest(key, keys ?? []);
      this.#complain(
        [...path, key],
        `there is no key ${key} here; ${meant === undefined ? `the keys are ${orList(keys ?? [])}` : `did you mean ${meant}?`}`,
      );
    }
    return value;
  }

  #complain(path: Path, mistake: string): void {
    const place = this.#place(path);
    this.mistakes.push(`${fileLineText(place)}: ${mistake}`);
    this.lines.push(place.line);
  }

  /** The line of the last key of the path that is there. */
  #place(path: Path): FileLine {
    const lengths = path.map((_, index) => path.length - index);
    const line = lengths.map((length) => this.#lineOf(path.slice(0, length))).find((one) => one !== undefined);
    return { file: this.#name, line };
  }
}

const isEmpty = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value as object).length === 0);

/** Of `5m`; undefined where it is no duration. */
function secondsIn(text: string): number | undefined {
  try {
    return Number(parseDuration(text)) / 1e9;
  } catch (error) {
    if (error instanceof GoError) return undefined;
    throw error;
  }
}

/** Of groups, objects, kinds, and paths of charts; with `*` in patterns. */
const nameForm = /^[\w.:/*-]+$/;
