import { readFileSync } from 'node:fs';
import { copyFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import { chartFolder } from '../../stack/chart-reference.ts';
import { selectedForShow } from '../../stack/choose.ts';
import { withLocation } from '../../stack/location.ts';
import { lockRequest, lockText } from '../../stack/lock-file.ts';
import { stackTrustFlags } from '../../stack/option-flags.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import { isWanted } from '../../stack/releases.ts';
import type { RepositorySpec } from '../../stack/schema.ts';
import { policyOf, repositoryCredentials } from '../../stack/work/charts.ts';
import { noneFound, type OpenStack } from '../../stack/work/open-stack.ts';
import { withTemporaryFolder } from '../../support/directories.ts';
import { TshelmError } from '../../support/errors.ts';
import { splitOnce, trimPrefix } from '../../support/text.ts';
import type { CliContext } from '../context.ts';
import { withDependencyTools } from '../sources/dependencies.ts';
import type { StackFlags } from './flags.ts';
import { openStack } from './open-stack.ts';
import type { stackDepsFlags } from './supply-flags.ts';

/** Adds the repositories of the state files to Helm's list, and signs in to the registries that have a password. */
export async function runRepos(flags: StackFlags, context: CliContext): Promise<void> {
  await addRepositories(await openStack(flags, context), flags, context);
}

/** Each name once, as in helmfile. */
async function addRepositories({ files, reading }: OpenStack, flags: StackFlags, context: CliContext): Promise<void> {
  const known = new Set<string>();
  for (const file of files)
    for (const repository of file.spec.repositories ?? []) {
      const { name = '' } = repository;
      if (known.has(name)) continue;
      known.add(name);
      const credentials = repositoryCredentials(repository, reading.world.env);
      await addRepository({ ...repository, ...credentials }, flags, context).catch((error: unknown) => {
        throw withLocation(error, () => file.locate({ field: 'name', part: 'repositories', text: name }));
      });
    }
}

async function addRepository(repository: RepositorySpec, flags: StackFlags, context: CliContext): Promise<void> {
  const { name = '', url = '', username = '', password = '', managed } = repository;
  const { caFile = '', certFile = '', keyFile = '', skipTLSVerify: insecureSkipTlsVerify = false } = repository;
  const tls = { caFile, certFile, keyFile, insecureSkipTlsVerify };
  const refuse = (message: string): TshelmError => new TshelmError('stack-unsupported', { message });
  if (name === '') throw refuse('a repository without a name cannot be added: name it');
  if (managed !== undefined)
    throw refuse(`repository ${name}: managed: ${managed} is not supported; run \`az acr helm repo add\`, or use oci`);
  const isSignedIn = username !== '' && password !== '';
  if (repository.oci) {
    if (!isSignedIn) return;
    const { login } = await import('../../source/oci/login.ts');
    const { sourcesOf } = await import('../sources/sources.ts');
    const [host] = splitOnce(trimPrefix(url, 'oci://'), '/');
    const plainHttp = flags.ociPlainHttp || repository.plainHttp;
    const access = { ...tls, username, password, plainHttp };
    await login(host, await sourcesOf(flags, context).registryOptions(access));
    context.io.stdout.write(`Login to ${host} succeeded\n`);
    return;
  }
  const { addEntry } = await import('../sources/repositories.ts');
  const credentials = isSignedIn ? { username, password } : { username: '', password: '' };
  const passCredentialsAll = repository.passCredentials ?? false;
  await addEntry({ name, url, ...tls, ...credentials, passCredentialsAll }, { ...flags, forceUpdate: true }, context);
}

type DepsFlags = StackFlags & FlagsOf<typeof stackDepsFlags>;

/** Updates the dependencies of charts in folders, and writes helmfile.lock, which pins the charts of repositories. */
export async function runDeps(flags: DepsFlags, context: CliContext): Promise<void> {
  const opened = await openStack(flags, context, undefined, { ignoresLock: true });
  const { files, reading } = opened;
  if (files.every((file) => selectedForShow(file).length === 0)) throw noneFound(reading);
  if (!flags.skipRepos) await addRepositories(opened, flags, context);
  const flagsFor = (file: StackFile): DepsFlags => {
    const trustPolicy = policyOf(file, flags, reading);
    return { ...flags, ...(trustPolicy !== undefined && { trustPolicy }) };
  };
  for (const file of files) {
    for (const release of selectedForShow(file).filter(isWanted)) {
      const folder = chartFolder(release, file, reading);
      if (folder === undefined) continue;
      const path = resolve(file.place.cwd, folder);
      reading.world.untrusted?.checkFolder(path);
      if (reading.world.kindOf(join(path, 'Chart.yaml')) !== 'file') continue;
      await update(path, flagsFor(file), context).catch((error: unknown) => {
        throw withLocation(error, () => file.locate({ field: 'chart', release: release.name }));
      });
    }
    await lockFile(file, flagsFor(file), context);
  }
}

async function update(path: string, flags: DepsFlags, context: CliContext): Promise<void> {
  const { updateDependencies } = await import('../../source/dependency/manager.ts');
  const { verify, ...trust } = optionsOf(stackTrustFlags, flags);
  const verifying = verify ? ('always' as const) : ('never' as const);
  await withDependencyTools({ ...flags, ...trust, plainHttp: flags.ociPlainHttp, verifying }, context, (tools) =>
    updateDependencies(path, tools),
  );
}

async function lockFile(file: StackFile, flags: DepsFlags, context: CliContext): Promise<void> {
  const { path, chartYaml } = lockRequest(selectedForShow(file), file);
  if (chartYaml === undefined) {
    context.io.stderr.write(`${file.source}: no release has a chart of its repositories, so there is no lock file\n`);
    return;
  }
  await withTemporaryFolder('tshelm-', async (folder) => {
    const chartLock = join(folder, 'Chart.lock');
    await writeFile(join(folder, 'Chart.yaml'), chartYaml);
    await copyFile(path, chartLock).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== 'ENOENT') throw cause;
    });
    const { repositories = [] } = file.spec;
    const areAllPlain = repositories.length > 0 && repositories.every(({ plainHttp }) => plainHttp);
    await update(folder, { ...flags, ociPlainHttp: flags.ociPlainHttp || areAllPlain }, context);
    await writeFile(path, lockText(readFileSync(chartLock, 'utf8')));
  });
  context.io.stdout.write(`Wrote ${path}\n`);
}
