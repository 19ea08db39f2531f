import { expect, test } from 'vitest';
import { helmPaths } from '../../src/source/paths.ts';

// What `helm env` prints, on Linux; helmpath/lazypath_*_test.go for the other systems.
test('by the system’s custom', () => {
  expect(helmPaths({ HOME: '/home/me' }, {}, 'linux')).toEqual({
    cacheHome: '/home/me/.cache/helm',
    configHome: '/home/me/.config/helm',
    dataHome: '/home/me/.local/share/helm',
    registryConfig: '/home/me/.config/helm/registry/config.json',
    repositoryConfig: '/home/me/.config/helm/repositories.yaml',
    repositoryCache: '/home/me/.cache/helm/repository',
    contentCache: '/home/me/.cache/helm/content',
    plugins: '/home/me/.local/share/helm/plugins',
  });
  expect(helmPaths({ HOME: '/Users/me' }, {}, 'darwin')).toMatchObject({
    cacheHome: '/Users/me/Library/Caches/helm',
    configHome: '/Users/me/Library/Preferences/helm',
    dataHome: '/Users/me/Library/helm',
  });
  expect(helmPaths({ APPDATA: 'C:\\a', TEMP: 'C:\\t' }, {}, 'win32')).toMatchObject({
    cacheHome: 'C:\\t\\helm',
    configHome: 'C:\\a\\helm',
    repositoryConfig: 'C:\\a\\helm\\repositories.yaml',
  });
});

test.each([
  ['XDG has a folder for all', { XDG_CONFIG_HOME: '/x' }, {}, '/x/helm/repositories.yaml'],
  ['HELM_CONFIG_HOME is the folder', { XDG_CONFIG_HOME: '/x', HELM_CONFIG_HOME: '/h' }, {}, '/h/repositories.yaml'],
  ['the file has its own', { HELM_CONFIG_HOME: '/h', HELM_REPOSITORY_CONFIG: '/r.yaml' }, {}, '/r.yaml'],
  ['a flag wins', { HELM_REPOSITORY_CONFIG: '/r.yaml' }, { repositoryConfig: '/f.yaml' }, '/f.yaml'],
])('%s', (_rule, env, flags, file) => {
  expect(helmPaths({ HOME: '/home/me', ...env }, flags, 'linux').repositoryConfig).toBe(file);
});
