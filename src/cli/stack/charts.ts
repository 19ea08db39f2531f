import { resolve } from 'node:path';
import type { Chart } from '../../chart/types.ts';
import type { ChartAccess } from '../../source/chart-access.ts';
import { requestOfDependency, withDependencies } from '../../stack/added-dependencies.ts';
import { chartFolder, repositoryChart } from '../../stack/chart-reference.ts';
import { chartOfFolder, isChartless } from '../../stack/folder-chart.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import type { Reading } from '../../stack/reading.ts';
import type { ReleaseSpec, RepositorySpec } from '../../stack/schema.ts';
import type { CliContext } from '../context.ts';
import type { GlobalFlags } from '../settings.ts';

export type ChartFlags = GlobalFlags & {
  readonly skipDeps?: boolean | undefined;
  readonly ociPlainHttp?: boolean | undefined;
};

interface NamedOfStack {
  readonly reference: string;
  readonly access: ChartAccess;
  readonly dependencyUpdate: boolean;
}

/** The charts of a stack: each is fetched and read once, however many releases have it. */
export class StackCharts {
  readonly #loaded = new Map<string, Promise<Chart>>();
  readonly #flags: ChartFlags;
  readonly #reading: Reading;
  readonly #context: CliContext;

  constructor(flags: ChartFlags, reading: Reading, context: CliContext) {
    this.#flags = flags;
    this.#reading = reading;
    this.#context = context;
  }

  /** The chart of a release with the dependencies that it adds. Errors: those of loadRequest and withDependencies. */
  async of(release: ReleaseSpec, file: StackFile): Promise<Chart> {
    const { dependencies = [] } = release;
    const chart = await this.#own(release, file);
    if (dependencies.length === 0) return chart;
    const requests = dependencies.map((one) => requestOfDependency(one, release, file));
    const charts = await Promise.all(requests.map((one) => this.#own(one.release, one.file)));
    return withDependencies(chart, charts, { release, file });
  }

  #own(release: ReleaseSpec, file: StackFile): Promise<Chart> {
    const folder = this.folderOf(release, file);
    // Its values are part of what is built.
    if (folder !== undefined && isChartless(resolve(file.place.cwd, folder), this.#reading))
      return chartOfFolder({ release, file, folder }, this.#reading);
    const named = this.namedOf(release, file);
    const key = JSON.stringify(named);
    const known = this.#loaded.get(key) ?? this.#load(named);
    this.#loaded.set(key, known);
    return known;
  }

  /** The folder of its chart as helmfile names it; undefined where the chart is somewhere else. */
  folderOf(release: ReleaseSpec, file: StackFile): string | undefined {
    return chartFolder(release, file, this.#reading);
  }

  async #load({ reference, access, dependencyUpdate }: NamedOfStack): Promise<Chart> {
    const { loadRequest } = await import('../load-request.ts');
    const flags = { ...this.#flags, dependencyUpdate };
    const { chart } = await loadRequest({ reference, access, flags, told: 'stderr' }, {}, this.#context);
    return chart;
  }

  /** How its chart is named and reached. */
  namedOf(release: ReleaseSpec, file: StackFile): NamedOfStack {
    const { spec, place } = file;
    const folder = chartFolder(release, file, this.#reading);
    const skipDeps = this.#flags.skipDeps || (release.skipDeps ?? spec.helmDefaults?.skipDeps ?? false);
    const chart = spec.chart ?? release.chart ?? '';
    const reference = folder === undefined ? remoteName({ ...release, chart }, file) : resolve(place.cwd, folder);
    return {
      reference,
      access: accessOf(release, file, this.#flags),
      dependencyUpdate: folder !== undefined && !skipDeps,
    };
  }
}

/** Of a repository that the state names, its address: nothing has to be added to Helm's own list. */
function remoteName(release: ReleaseSpec, { spec }: StackFile): string {
  const { chart = '' } = release;
  const named = repositoryChart(release, spec);
  if (named === undefined) return chart;
  const rest = chart.split('/').slice(1).join('/');
  return named.repository.oci
    ? `oci://${(named.repository.url ?? '').replace(/^oci:\/\//, '').replace(/\/$/, '')}/${rest}`
    : rest;
}

function accessOf(release: ReleaseSpec, { spec }: StackFile, { ociPlainHttp }: ChartFlags): ChartAccess {
  const { repository } = repositoryChart({ ...release, chart: spec.chart ?? release.chart }, spec) ?? {};
  const defaults = spec.helmDefaults ?? {};
  const version = (release.version ?? '').split('@')[0];
  return {
    ...(version ? { version } : {}),
    devel: release.devel ?? defaults.devel,
    verify: release.verify ?? defaults.verify,
    keyring: release.keyring ?? defaults.keyring,
    plainHttp: ociPlainHttp || release.plainHttp || defaults.plainHttp || repository?.plainHttp,
    insecureSkipTlsVerify: release.insecureSkipTLSVerify || defaults.insecureSkipTLSVerify || repository?.skipTLSVerify,
    ...(repository === undefined ? {} : repositoryAccess(repository)),
  };
}

function repositoryAccess(repository: RepositorySpec): ChartAccess {
  const { name = '', oci, url, caFile, certFile, keyFile, passCredentials: passCredentialsAll } = repository;
  const variable = name.toUpperCase().replaceAll('-', '_');
  return {
    ...(oci ? {} : { repoUrl: url }),
    caFile,
    certFile,
    keyFile,
    passCredentialsAll,
    username: repository.username ?? process.env[`${variable}_USERNAME`],
    password: repository.password ?? process.env[`${variable}_PASSWORD`],
  };
}
