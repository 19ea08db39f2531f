import { baseName, slashes } from '../go/path.ts';
import { renderName } from '../render/name-template.ts';
import { TshelmError } from '../support/errors.ts';
import { splitOnce } from '../support/text.ts';

/** What the command line says about a release's name. */
export interface NameOptions {
  readonly generateName?: boolean | undefined;
  /** A template for the name, with sprig's functions. */
  readonly nameTemplate?: string | undefined;
  /** The name where neither an argument nor a template gives one: `release-name` in `template`. */
  readonly defaultName?: string | undefined;
  readonly now?: (() => Date) | undefined;
}

export interface NameAndChart {
  readonly name: string;
  /** As the user wrote it: a path, a name in a repository, a URL. */
  readonly chart: string;
}

/** The arguments `[NAME] CHART` of install and template. Fails with `invalid-arguments` (action.Install's NameAndChart). */
export function nameAndChart(args: readonly string[], options: NameOptions): NameAndChart {
  const [first = '', second] = args;
  if (args.length > 2) {
    throw refused(`expected at most two arguments, unexpected arguments: ${args.slice(2).join(', ')}`);
  }
  if (second !== undefined) return { name: explicitName(first, options), chart: second };
  if (options.nameTemplate) return { name: renderName(options.nameTemplate), chart: first };
  if (options.defaultName) return { name: options.defaultName, chart: first };
  if (!options.generateName) throw nameMissing(first);
  return { name: generatedName(first, options.now?.() ?? new Date()), chart: first };
}

function explicitName(name: string, { generateName, nameTemplate }: NameOptions): string {
  if (generateName) throw refused('cannot set --generate-name and also specify a name');
  if (nameTemplate) throw refused('cannot set --name-template and also specify a name');
  return name;
}

const nameMissing = (chart: string): TshelmError =>
  new TshelmError('invalid-arguments', {
    message: 'must either provide a name or specify --generate-name',
    details: { remedies: [{ kind: 'run', verb: 'install', arguments: [nameOf(chart), chart] }] },
  });

/** The chart's base name up to its first dot, and the time in seconds. */
const generatedName = (chart: string, now: Date): string => `${nameOf(chart)}-${Math.floor(now.getTime() / 1000)}`;

function nameOf(chart: string): string {
  const base = baseName(slashes(chart));
  return base === '.' ? 'chart' : splitOnce(base, '.')[0];
}

const refused = (message: string): TshelmError => new TshelmError('invalid-arguments', { message });
