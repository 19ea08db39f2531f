import { resolve } from 'node:path';
import { missingDependencies } from '../../chart/checks.ts';
import type { Chart } from '../../chart/types.ts';
import { withOrderFile } from '../../plan/outside-order.ts';
import { type ChartAccess, type TrustOptions, unaskedSigner } from '../../source/chart-access.ts';
import { localSubcharts } from '../../source/dependency/subcharts.ts';
import { TshelmError } from '../../support/errors.ts';
import { trimPrefix, trimSuffix } from '../../support/text.ts';
import { requestOfDependency, withDependencies } from '../added-dependencies.ts';
import { chartFolder, repositoryChart } from '../chart-reference.ts';
import { chartOfFolder, isChartless } from '../folder-chart.ts';
import { withLocation } from '../location.ts';
import type { StackFile } from '../read-stack.ts';
import type { Reading } from '../reading.ts';
import type { ReleaseSpec, RepositorySpec } from '../schema.ts';
import { orderOfRelease } from './release-order.ts';

/** How the chart of a release is named and reached. */
export interface NamedOfStack {
  /** A path, a name in a repository (`access.repoUrl`), or `oci://…`. */
  readonly reference: string;
  readonly access: ChartAccess;
  /** Whether charts/ is filled first where it lacks something. */
  readonly dependencyUpdate: boolean;
}

/** How charts are had. */
export interface ChartTools {
  loadChart(chart: NamedOfStack): Promise<Chart>;
  /** Charts of registries are fetched without TLS. */
  readonly plainHttp?: boolean | undefined;
  /** Dependencies that charts/ lacks are not fetched. */
  readonly skipDeps?: boolean | undefined;
  /** What fetched charts must prove, over what the state files say. */
  readonly trust?: TrustOptions | undefined;
}

/** The charts of a stack: each is fetched and read once, however many releases have it. */
export class StackCharts {
  readonly #loaded = new Map<string, Promise<Chart>>();
  readonly #reading: Reading;
  readonly #tools: ChartTools;

  constructor(reading: Reading, tools: ChartTools) {
    this.#reading = reading;
    this.#tools = tools;
  }

  /** The chart of a release with the dependencies that it adds. Errors: those of loading it and of withDependencies. */
  async of(release: ReleaseSpec, file: StackFile): Promise<Chart> {
    const { dependencies = [] } = release;
    const chart = await this.#own(release, file).catch((error: unknown) => {
      throw withLocation(error, () => file.locate({ field: 'chart', release: release.name }));
    });
    if (dependencies.length === 0) return this.#inOrder(chart, release, file);
    const requests = dependencies.map((one) => requestOfDependency(one, release, file));
    const charts = await Promise.all(requests.map((one) => this.#own(one.release, one.file))).catch(
      (error: unknown) => {
        throw withLocation(error, () => file.locate({ field: 'dependencies', release: release.name }));
      },
    );
    return this.#inOrder(withDependencies(chart, charts, { release, file }), release, file);
  }

  /** The chart in the order that its release names. Errors: `order-file-invalid`. */
  #inOrder(chart: Chart, release: ReleaseSpec, file: StackFile): Chart {
    const order = orderOfRelease(release, file, this.#reading);
    return order === undefined ? chart : withOrderFile(chart, order);
  }

  async #own(release: ReleaseSpec, file: StackFile): Promise<Chart> {
    const folder = this.folderOf(release, file);
    if (folder !== undefined) {
      const path = resolve(file.place.cwd, folder);
      this.#reading.world.untrusted?.checkFolder(path);
      // Its values are part of what is built.
      if (isChartless(path, this.#reading)) return chartOfFolder({ release, file, folder }, this.#reading);
      await this.#checkSubcharts(path);
    }
    const named = this.namedOf(release, file);
    const key = JSON.stringify(named);
    const known = this.#loaded.get(key) ?? this.#load(named, release);
    this.#loaded.set(key, known);
    return known;
  }

  /** A signer that nothing is checked for is refused where dependencies would be fetched, too. */
  async #load(named: NamedOfStack, release: ReleaseSpec): Promise<Chart> {
    if (!named.dependencyUpdate || unaskedSigner(this.#tools.trust ?? {}) === undefined)
      return this.#tools.loadChart(named);
    const chart = await this.#tools.loadChart({ ...named, dependencyUpdate: false });
    if (missingDependencies(chart).length > 0) throw unasked(release);
    return chart;
  }

  /** What charts/ is filled from is read as well, however deep: a folder that leads to itself is refused there. */
  async #checkSubcharts(path: string, around: readonly string[] = []): Promise<void> {
    const { untrusted } = this.#reading.world;
    if (untrusted === undefined || around.includes(path)) return;
    for (const folder of await localSubcharts(path)) {
      untrusted.checkFolder(folder);
      await this.#checkSubcharts(folder, [...around, path]);
    }
  }

  /** The folder of its chart as helmfile names it; undefined where the chart is somewhere else. */
  folderOf(release: ReleaseSpec, file: StackFile): string | undefined {
    return chartFolder(release, file, this.#reading);
  }

  /** How its chart is named and reached. Errors: `stack-untrusted`, `signature-unasked`. */
  namedOf(release: ReleaseSpec, file: StackFile): NamedOfStack {
    const { spec, place } = file;
    const folder = chartFolder(release, file, this.#reading);
    const skipDeps = this.#tools.skipDeps || (release.skipDeps ?? spec.helmDefaults?.skipDeps ?? false);
    const chart = spec.chart ?? release.chart ?? '';
    const reference = folder === undefined ? remoteName({ ...release, chart }, file) : resolve(place.cwd, folder);
    return {
      reference,
      access: { ...this.#accessOf(release, file), ...this.#trustOf(release, file, folder !== undefined) },
      dependencyUpdate: folder !== undefined && !skipDeps,
    };
  }

  /**
   * The command line comes first, then the release, its repository, and the defaults, as in helmfile. What is on this machine
   * is not checked for the command line's sake. A signer that nothing is checked for is refused, as for a single release.
   */
  #trustOf(release: ReleaseSpec, file: StackFile, isLocal: boolean): TrustOptions {
    const { spec, place } = file;
    const { trust: given = {} } = this.#tools;
    const { repository = {} } = repositoryChart({ ...release, chart: spec.chart ?? release.chart }, spec) ?? {};
    const { helmDefaults: defaults = {} } = spec;
    const signedBy = release.signedBy ?? repository.signedBy ?? defaults.signedBy ?? {};
    const keyring = release.keyring ?? repository.keyring ?? defaults.keyring;
    const own = { keyring, ...(namesSigner(given) ? {} : signedBy) };
    const { untrusted } = this.#reading.world;
    const absolutes = pathsOfTrust.map((name) => [name, own[name] && resolve(place.cwd, own[name])] as const);
    for (const [, path] of absolutes) if (path !== undefined && path !== '') untrusted?.check(path);
    const trust = {
      ...own,
      ...Object.fromEntries(absolutes),
      ...given,
      verify: (isLocal ? undefined : given.verify) ?? release.verify ?? repository.verify ?? defaults.verify,
      trustPolicy: policyOf(file, given, this.#reading),
    };
    if (!isLocal && unaskedSigner(trust) !== undefined) throw unasked(release);
    return trust;
  }

  #accessOf(release: ReleaseSpec, { spec }: StackFile): ChartAccess {
    const { repository } = repositoryChart({ ...release, chart: spec.chart ?? release.chart }, spec) ?? {};
    const defaults = spec.helmDefaults ?? {};
    const version = (release.version ?? '').split('@')[0];
    const insecure = release.insecureSkipTLSVerify || defaults.insecureSkipTLSVerify || repository?.skipTLSVerify;
    return {
      ...(version ? { version } : {}),
      devel: release.devel ?? defaults.devel,
      plainHttp: this.#tools.plainHttp || release.plainHttp || defaults.plainHttp || repository?.plainHttp,
      insecureSkipTlsVerify: insecure,
      ...(repository === undefined ? {} : repositoryAccess(repository, this.#reading)),
    };
  }
}

/** The trust policy for what a file has fetched: the one that was given comes before its own. Errors: `stack-untrusted`. */
export function policyOf(file: StackFile, given: TrustOptions, { world }: Reading): string | undefined {
  if (given.trustPolicy || world.env['TSHELM_TRUST_POLICY']) return given.trustPolicy;
  if (file.trustPolicy !== undefined) world.untrusted?.check(file.trustPolicy);
  return file.trustPolicy;
}

const pathsOfTrust = ['keyring', 'key', 'trustedRoot'] as const;

const namesSigner = ({ key, certificateIdentity, certificateIdentityRegexp }: TrustOptions): boolean =>
  [key, certificateIdentity, certificateIdentityRegexp].some((text) => text !== undefined && text !== '');

function unasked({ name = '', chart = '' }: ReleaseSpec): TshelmError {
  const message = `release ${name}: a signer is named, but the sigstore signature of ${chart} is not checked: say \`verify: sigstore\`, or \`verify: false\` where it is not signed`;
  return new TshelmError('signature-unasked', { message, details: { release: name } });
}

/** Of a repository that the state names, its address: nothing has to be added to Helm's own list. */
function remoteName(release: ReleaseSpec, { spec }: StackFile): string {
  const { chart = '' } = release;
  const named = repositoryChart(release, spec);
  if (named === undefined) return chart;
  const rest = chart.split('/').slice(1).join('/');
  return named.repository.oci
    ? `oci://${trimSuffix(trimPrefix(named.repository.url ?? '', 'oci://'), '/')}/${rest}`
    : rest;
}

function repositoryAccess(repository: RepositorySpec, { world: { env } }: Reading): ChartAccess {
  const { oci, url, caFile, certFile, keyFile, passCredentials: passCredentialsAll } = repository;
  return {
    ...(oci ? {} : { repoUrl: url }),
    caFile,
    certFile,
    keyFile,
    passCredentialsAll,
    ...repositoryCredentials(repository, env),
  };
}

/** What a repository says, or the variables with its name. */
export function repositoryCredentials(
  { name = '', username, password }: RepositorySpec,
  env: Reading['world']['env'],
): Pick<ChartAccess, 'username' | 'password'> {
  const variable = name.toUpperCase().replaceAll('-', '_');
  return {
    username: username ?? env[`${variable}_USERNAME`],
    password: password ?? env[`${variable}_PASSWORD`],
  };
}
