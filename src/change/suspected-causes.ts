import { fileText } from '../chart/file-text.ts';
import { readRawMetadata, validateMetadata } from '../chart/metadata.ts';
import { valueAtKeys } from '../chart/tables.ts';
import type { Templates } from '../chart/template-text.ts';
import type { Dependency } from '../chart/types.ts';
import { explainedProblems, type SuspectedCause } from '../execute/suspected-cause.ts';
import { isCompatibleRange } from '../go/semver.ts';
import { decodeText } from '../go/text.ts';
import type { ValuePlace } from '../problem/place.ts';
import { isOfObject, type Problem } from '../problem/problem.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';
import { isNear } from '../support/near.ts';
import { literalPattern } from '../support/pattern.ts';
import { workloadText } from '../words/workload.ts';
import { lineOfKeys, readYamlMap } from '../yaml/index.ts';

/** A chart, and what the user set. */
interface Given {
  readonly chart: Templates;
  readonly config?: ReadonlyMap<string, unknown> | undefined;
}

const maxNotes = 5;

/**
 * The same failure of objects with what often lies behind one and no message tells: values that reach nothing, dependencies
 * in Chart.yaml that no chart in `charts/` fits. It becomes the cause of the fault that follows from it, otherwise a note.
 * Helm takes both in silence, so a run that succeeds says nothing of them.
 */
export function withSuspectedCauses(failure: unknown, { chart, config = new Map() }: Given): unknown {
  const before = addedDetail(failure, 'problems');
  if (!(failure instanceof TshelmError) || before === undefined) return failure;
  try {
    const found = suspectedCauses(chart, config);
    if (found.length === 0) return failure;
    const { problems, notes: rest } = explainedProblems(before, found);
    const notes = [...(addedDetail(failure, 'notes') ?? []), ...rest];
    return failure.wrapped({ message: failure.message, details: { problems, notes } });
  } catch {
    // What failed is told in any case.
    return failure;
  }
}

/** The suspected causes of a chart as it was loaded; a recorded chart has too little to judge by. */
export function suspectedCauses(loaded: Templates, config: ReadonlyMap<string, unknown>): readonly SuspectedCause[] {
  if (loaded.raw === undefined || loaded.raw.length === 0 || loaded.dependencies === undefined) return [];
  // What the chart itself sets: in one that is ready to render, its subcharts' values are there too.
  const chart = { ...loaded, values: readYamlMap(fileText(loaded, 'values.yaml') ?? '') };
  const listed = listedDependencies(chart);
  return [
    ...unfitDependencies(chart, listed, config),
    ...valuesUnderTheName(chart, listed, config),
    ...misspeltValues(chart, config),
  ].slice(0, maxNotes);
}

/** As they stand in Chart.yaml: of a chart that is ready to render, aliases have replaced the names. */
function listedDependencies(chart: Templates): readonly Dependency[] {
  const text = fileText(chart, 'Chart.yaml');
  return text === undefined ? [] : (validateMetadata(readRawMetadata(text)).dependencies ?? []);
}

/** The version of the chart in `charts/` where it is not the one that is asked for. */
function unfitVersion({ dependencies = [] }: Templates, { name, version = '' }: Dependency): string | undefined {
  const found = dependencies.find(({ metadata }) => metadata.name === name)?.metadata.version;
  return found === undefined || isCompatibleRange(version, found) ? undefined : found;
}

/** Where the version is another one, Helm installs the chart under its own name, whatever alias and condition say. */
function unfitDependencies(
  chart: Templates,
  listed: readonly Dependency[],
  config: ReadonlyMap<string, unknown>,
): readonly SuspectedCause[] {
  const text = fileText(chart, 'Chart.yaml') ?? '';
  return listed.flatMap((entry, index) => {
    const { name, version = '', alias, condition = '' } = entry;
    const found = unfitVersion(chart, entry);
    if (found === undefined) return [];
    const path = condition.split('.');
    const isOff = (valueAtKeys(config, path) ?? valueAtKeys(chart.values, path)) === false;
    if (alias === undefined && !isOff) return [];
    const ignored = { alias, condition: isOff ? condition : undefined };
    const cause = { outlook: 'open', code: 'dependency-version', name, version, found, ...ignored } as const;
    const line = lineOfKeys(text, ['dependencies', String(index), 'version']);
    const file = `${chart.metadata.name}/Chart.yaml`;
    return [
      {
        cause,
        note: `${workloadText(cause)}: "dependency update" fetches the right one`,
        remedies: [{ kind: 'run', verb: 'dependency update', arguments: [] }],
        places: [{ kind: 'file', file, line, written: text.split('\n')[(line ?? 0) - 1]?.trim() }],
        explains: (fault) => isOfSubchart(fault, chart, name),
      },
    ];
  });
}

/** Values of a dependency belong under its alias. */
function valuesUnderTheName(
  chart: Templates,
  listed: readonly Dependency[],
  config: ReadonlyMap<string, unknown>,
): readonly SuspectedCause[] {
  const keys = new Set(listed.map(({ name, alias }) => alias ?? name));
  const own = textOfTemplates(chart);
  const isRead = (name: string): boolean => own.includes(`.Values.${name}`) || own.includes(`"${name}"`);
  return listed.flatMap((entry) => {
    const { name, alias } = entry;
    const isSet = config.has(name) || chart.values?.has(name) === true;
    // Without its alias the chart gets the values under its name.
    if (alias === undefined || unfitVersion(chart, entry) !== undefined || keys.has(name) || isRead(name) || !isSet)
      return [];
    return [
      {
        note: `${placed([name], chart, config)}, but it reaches no chart: ${name} has the alias ${alias}, so its values belong under ${alias}`,
        cause: { outlook: 'open', code: 'values-under-name', name, alias },
        remedies: [{ kind: 'use-name', name: alias, instead: name }],
        places: placesOf([name], chart, config),
        explains: (fault) => isOfSubchart(fault, chart, alias),
      },
    ];
  });
}

/**
 * Keys that no template names, where they name another that differs by a slip, and that nobody sets.
 * Only in maps of which templates read some key by its name, and that they do not write out or walk through.
 */
function misspeltValues(chart: Templates, config: ReadonlyMap<string, unknown>): readonly SuspectedCause[] {
  const named = namesIn(chart);
  const text = textOfTemplates(chart);
  const isWritten = (above: readonly string[]): boolean =>
    above.some((_key, at) => isWrittenWhole(above.slice(0, at + 1).join('.'), text));
  const charts = new Set(chart.dependencies?.map(({ metadata }) => metadata.name));
  const paths = new Map([...pathsOf(chart.values), ...pathsOf(config)].map((path) => [path.join('.'), path]));
  const set = new Set([...paths.values()].map((path) => path.at(-1) as string));
  const unset = [...named].filter((name) => /^\w+$/.test(name) && !set.has(name));
  return [...paths.values()].flatMap((path) => {
    const key = path.at(-1) as string;
    const isReadByName =
      path.length === 1 || siblings(path, [chart.values, config]).some((sibling) => named.has(sibling));
    if (named.has(key) || charts.has(key) || !isReadByName || isWritten(path.slice(0, -1))) return [];
    const meant = unset.filter((name) => isSlip(key, name));
    const [only, another] = meant;
    if (only === undefined || another !== undefined) return [];
    return [
      {
        note: `${placed(path, chart, config)}, but no template reads ${key}; they read ${only}, which is not set: did you mean it?`,
        cause: { outlook: 'open', code: 'value-not-read', keys: path, near: only },
        remedies: [{ kind: 'use-name', name: only, instead: key }],
        places: placesOf(path, chart, config),
        // What a program says of it proves nothing.
        explains: () => false,
      },
    ];
  });
}

const textOfTemplates = ({ templates }: Templates): string => templates.map(({ data }) => decodeText(data)).join('\n');

const isWrittenWhole = (name: string, templates: string): boolean =>
  new RegExp(`(?:toYaml|toJson|range)[^}]*\\.Values\\.${literalPattern(name)}(?![.\\w])`).test(templates);

const leastLetters = 4;

/** One letter more, less, other or swapped, or capitals; not another way to write the same words (`tls_config`, `tlsConfig`). */
function isSlip(a: string, b: string): boolean {
  const [lower, other] = [a.toLowerCase(), b.toLowerCase()];
  if (a.length < leastLetters || !isNear(lower, other)) return false;
  return lower.replace(/[_-]/g, '') !== other.replace(/[_-]/g, '') || lower === other;
}

function siblings(path: readonly string[], values: readonly (ReadonlyMap<string, unknown> | undefined)[]) {
  return values.flatMap((map) => {
    const parent = valueAtKeys(map, path.slice(0, -1));
    return parent instanceof Map ? [...parent.keys()].map(String) : [];
  });
}

/** The ways to all keys of maps in maps. */
function pathsOf(values: ReadonlyMap<string, unknown> | undefined, above: readonly string[] = []): string[][] {
  return [...(values ?? [])].flatMap(([key, value]) => {
    const path = [...above, String(key)];
    return value instanceof Map ? [path, ...pathsOf(value, path)] : [path];
  });
}

/** What the actions of all templates name: fields, and words in quotes. Not the fields of Helm's own objects. */
function namesIn({ templates, dependencies = [] }: Templates): ReadonlySet<string> {
  const own = templates.flatMap(({ data }) =>
    [...decodeText(data).matchAll(/\{\{.*?\}\}/gs)].flatMap(([action]) => {
      const text = action.replace(/\.(?:Chart|Release|Capabilities|Template|Files|Subcharts)[.\w]*/g, '');
      return [...text.matchAll(/\.([A-Za-z_]\w*)|["`]([^"`\n]+)["`]/g)].map(([, field, word]) => field ?? word ?? '');
    }),
  );
  return new Set([
    ...own.flatMap((name) => [name, ...name.split('.')]),
    ...dependencies.flatMap((chart) => [...namesIn(chart)]),
  ]);
}

/** Whether the object comes from the subchart of that name. */
const isOfSubchart = (problem: Problem, { metadata }: Templates, name: string): boolean =>
  isOfObject(problem) && problem.subject.template.startsWith(`${metadata.name}/charts/${name}/`);

function placesOf(
  keys: readonly string[],
  chart: Templates,
  config: ReadonlyMap<string, unknown>,
): readonly ValuePlace[] {
  if (valueAtKeys(config, keys) !== undefined) return [{ kind: 'value', keys, isGiven: true }];
  const line = lineOfKeys(fileText(chart, 'values.yaml') ?? '', keys);
  return line === undefined ? [] : [{ kind: 'value', keys, file: `${chart.metadata.name}/values.yaml`, line }];
}

/** `oidc.issuerURL is set in values.yaml:23` */
function placed(path: readonly string[], chart: Templates, config: ReadonlyMap<string, unknown>): string {
  const name = path.join('.');
  if (valueAtKeys(config, path) !== undefined) return `${name} is set with -f or --set`;
  const line = lineOfKeys(fileText(chart, 'values.yaml') ?? '', path);
  return `${name} is set in values.yaml${line === undefined ? '' : `:${line}`}`;
}
