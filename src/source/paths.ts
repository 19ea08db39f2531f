import { posix, win32 } from 'node:path';
import { homeFolder } from '../support/home.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Where Helm keeps its files; tshelm reads and writes the same ones. */
export interface HelmPaths {
  readonly cacheHome: string;
  readonly configHome: string;
  readonly dataHome: string;
  /** Credentials of registries, in Docker's format. */
  readonly registryConfig: string;
  /** The names and URLs of repositories. */
  readonly repositoryConfig: string;
  /** The folder of the repositories' indexes. */
  readonly repositoryCache: string;
  /** The folder of downloaded charts, by digest. */
  readonly contentCache: string;
  /** Folders of plugins, joined as a PATH is. */
  readonly plugins: string;
}

/**
 * Helm's files. What is not named is where the environment says; for programs that pass none, in a folder of its own that
 * goes with `close()`.
 */
export interface HelmFiles {
  /** The list of repositories: `repositories.yaml`. */
  readonly repositoryConfig?: string | undefined;
  /** The folder of cached indexes of repositories. */
  readonly repositoryCache?: string | undefined;
  /** Credentials of registries: `registry/config.json`, or a `config.json` of Docker. */
  readonly registryConfig?: string | undefined;
  /** The folder of cached charts. */
  readonly contentCache?: string | undefined;
}

/**
 * By flags, HELM_* variables, the XDG variables and the system's custom; a flag wins over the environment, even with an
 * empty text, as in pflag. Go: pkg/cli.New, pkg/helmpath.
 */
export function helmPaths(env: Environment, flags: HelmFiles = {}, platform: NodeJS.Platform = process.platform) {
  const { join } = platform === 'win32' ? win32 : posix;
  const home = (kind: HomeKind): string => {
    const own = env[`HELM_${kind}_HOME`];
    if (own) return join(own).replace(/(?<=.)[/\\]$/, '');
    return join(env[`XDG_${kind}_HOME`] || defaultHome(kind, env, platform), 'helm');
  };
  const [cacheHome, configHome, dataHome] = [home('CACHE'), home('CONFIG'), home('DATA')];
  return {
    cacheHome,
    configHome,
    dataHome,
    registryConfig: flags.registryConfig ?? env['HELM_REGISTRY_CONFIG'] ?? join(configHome, 'registry', 'config.json'),
    repositoryConfig: flags.repositoryConfig ?? env['HELM_REPOSITORY_CONFIG'] ?? join(configHome, 'repositories.yaml'),
    repositoryCache: flags.repositoryCache ?? env['HELM_REPOSITORY_CACHE'] ?? join(cacheHome, 'repository'),
    plugins: env['HELM_PLUGINS'] ?? join(dataHome, 'plugins'),
    contentCache: flags.contentCache ?? env['HELM_CONTENT_CACHE'] ?? join(cacheHome, 'content'),
  } satisfies HelmPaths;
}

type HomeKind = 'CACHE' | 'CONFIG' | 'DATA';

/** What helmpath.lazypath_{unix,darwin,windows}.go name. */
function defaultHome(kind: HomeKind, env: Environment, platform: NodeJS.Platform): string {
  const user = userHome(env, platform);
  switch (platform) {
    case 'win32':
      return (kind === 'CACHE' ? env['TEMP'] : env['APPDATA']) ?? '';
    case 'darwin':
      return posix.join(user, 'Library', { CACHE: 'Caches', CONFIG: 'Preferences', DATA: '' }[kind]);
    default:
      return posix.join(user, { CACHE: '.cache', CONFIG: '.config', DATA: '.local/share' }[kind]);
  }
}

const userHome = (env: Environment, platform: NodeJS.Platform): string =>
  homeFolder(platform === 'win32' ? env['USERPROFILE'] : env['HOME']);
