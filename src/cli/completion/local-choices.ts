import { readdirSync, readFileSync } from 'node:fs';
import { helmPaths } from '../../source/paths.ts';
import { helmEnvironment } from '../sources/helm-environment.ts';
import { listedPlugins } from '../sources/plugins.ts';
import type { Completer, CompletionContext } from './choices.ts';
import { type Completions, directives, files, fixedChoices, nothing } from './directive.ts';

/** The repositories that were added, without those that were given already. Follows Helm's compListRepos. */
export const repositories: Completer = async (completing) =>
  fixedChoices(await repositoryChoices(completing, completing.args));

async function repositoryChoices({ flags, context }: CompletionContext, others: readonly string[]): Promise<string[]> {
  const { knownRepositories } = await import('../../source/repository/repositories.ts');
  try {
    const known = knownRepositories(helmPaths(context.io.env, flags).repositoryConfig);
    return known.filter(({ name }) => !others.includes(name)).map(({ name, url }) => `${name}\t${url}`);
  } catch {
    return [];
  }
}

/**
 * Charts of repositories, the beginnings of addresses, and files that begin so. Where the user has typed nothing, hints
 * stand for the files. Follows Helm's compListCharts.
 */
export const charts: Completer = (completing) => chartChoices(completing, { hasFiles: true });

/** Charts that are elsewhere: for commands that fetch them. */
export const remoteCharts: Completer = (completing) => chartChoices(completing, { hasFiles: false });

async function chartChoices(
  completing: CompletionContext,
  { hasFiles }: { readonly hasFiles: boolean },
): Promise<Completions> {
  const { typed } = completing;
  const found = await fromRepositories(completing);
  const schemes = addresses.filter((choice) => choice.startsWith(typed) && !typed.startsWith(schemeOf(choice)));
  const isAddress = addresses.some((choice) => typed.startsWith(schemeOf(choice)));
  const choices = [...found.choices, ...schemes];
  if (hasFiles && choices.length > 0 && typed !== '')
    choices.push(...readdirSync('.').filter((name) => name.startsWith(typed)));
  if (hasFiles && typed === '') choices.push(...hints);
  const hasNoSpace = schemes.length > 0 || isAddress || found.hasRepositories;
  const hasNoFiles = isAddress || !hasFiles;
  return {
    choices,
    directive: (hasNoSpace ? directives.noSpace : 0) | (hasNoFiles ? directives.noFiles : 0),
  };
}

const hints = ['./\tRelative path prefix to local chart', '/\tAbsolute path prefix to local chart'];

const addresses = [
  'oci://\tChart OCI prefix',
  'https://\tChart URL prefix',
  'http://\tChart URL prefix',
  'file://\tChart local URL prefix',
];

const schemeOf = (choice: string): string => choice.slice(0, choice.indexOf('\t'));

/** `REPOSITORY/` as far as the name is not whole; then the repository's charts, all of them: shells may match loosely. */
async function fromRepositories(
  completing: CompletionContext,
): Promise<{ readonly choices: readonly string[]; readonly hasRepositories: boolean }> {
  const known = (await repositoryChoices(completing, [])).map((choice) => choice.split('\t') as [string, string]);
  const whole = known.find(([name]) => completing.typed.startsWith(`${name}/`))?.[0];
  if (whole !== undefined) return { choices: await chartsOf(whole, completing), hasRepositories: false };
  const begun = known.filter(([name]) => name.startsWith(completing.typed));
  return { choices: begun.map(([name, url]) => `${name}/\t${url}`), hasRepositories: begun.length > 0 };
}

/** By the list of names that is beside the index, or by the index itself. */
async function chartsOf(repository: string, { flags, context }: CompletionContext): Promise<string[]> {
  const { repositoryCache } = helmPaths(context.io.env, flags);
  const { chartsPath } = await import('../../source/repository/find-chart.ts');
  try {
    const names = readFileSync(chartsPath(repositoryCache, repository), 'utf8').split('\n');
    return names.filter((name) => name !== '').map((name) => `${repository}/${name}`);
  } catch {
    const index = await indexOf(repository, repositoryCache);
    return (index?.names ?? []).map((name) => `${repository}/${name}`);
  }
}

async function indexOf(repository: string, repositoryCache: string) {
  const { readIndexFile } = await import('../../source/repository/index-file.ts');
  const { indexPath } = await import('../../source/repository/find-chart.ts');
  try {
    return readIndexFile(indexPath(repositoryCache, repository));
  } catch {
    return undefined;
  }
}

/** For commands that name a chart: which argument it is. */
const chartArgument: Readonly<Record<string, (flags: CompletionContext['flags']) => number>> = {
  check: () => 0,
  dag: () => 0,
  diff: () => 1,
  'diff upgrade': () => 1,
  images: () => 0,
  lint: () => 0,
  install: (flags) => (flags['generateName'] ? 0 : 1),
  plan: (flags) => (flags['generateName'] ? 0 : 1),
  pull: () => 0,
  rehearse: (flags) => (flags['generateName'] ? 0 : 1),
  'order suggest': () => 0,
  'show all': () => 0,
  'show chart': () => 0,
  'show crds': () => 0,
  'show readme': () => 0,
  'show values': () => 0,
  template: (flags) => (flags['generateName'] ? 0 : 1),
  upgrade: () => 1,
};

/** The keys of the values of the chart that was named; where one word alone is given, it may be the chart. */
export const setKeys: Completer = async (completing) => {
  const { args, flags, path } = completing;
  const chart = args[chartArgument[path]?.(flags) ?? 0] ?? args[0];
  return (await import('./value-keys.ts')).valueKeys(completing, chart);
};

/** The versions of the chart `REPOSITORY/NAME` that was named, for --version. Follows Helm's compVersionFlag. */
export async function chartVersions(completing: CompletionContext): Promise<Completions> {
  const { args, flags, context, path } = completing;
  const at = chartArgument[path]?.(flags);
  if (at === undefined) return files;
  const [repository = '', name = '', ...more] = (args[at] ?? '').split('/');
  if (args.length !== at + 1 || name === '' || more.length > 0) return nothing;
  const index = await indexOf(repository, helmPaths(context.io.env, flags).repositoryCache);
  return fixedChoices(
    (index?.versions(name) ?? []).map(({ version, appVersion, entry }) => {
      const app = appVersion === '' ? '' : `App: ${appVersion}, `;
      const deprecated = entry.metadata.deprecated === true ? '(deprecated)' : '';
      return `${version}\t${app}Created: ${dayOf(entry.created)} ${deprecated}`;
    }),
  );
}

const months = 'January February March April May June July August September October November December'.split(' ');

/** `2020-11-12T…` is `November 12, 2020`, in the time zone that is written there. */
function dayOf(time: string): string {
  const [, year = '', month = '', day = ''] = /^(\d+)-(\d\d)-(\d\d)/.exec(time) ?? [];
  return `${months[Number(month) - 1]} ${Number(day)}, ${year}`;
}

/** The command plugins that are installed, without those that were given already. Follows Helm's compListPlugins. */
export function plugins({ args, flags, context }: CompletionContext): Completions {
  const found = listedPlugins(flags, context).filter(({ name }) => !args.includes(name));
  return fixedChoices(found.map(({ name, config }) => `${name}\t${config.shortHelp}`));
}

/** The names of the variables that `env` prints. */
export const variables: Completer = async ({ flags, context }) =>
  fixedChoices((await helmEnvironment(flags, context)).map(([name]) => name));

/** The pages and codes that `explain` knows. */
export const manualNames: Completer = async () => {
  const { manualPages } = await import('../manual/pages.ts');
  const { knownNames } = await import('../manual/lookup.ts');
  return fixedChoices(knownNames(manualPages()));
};
