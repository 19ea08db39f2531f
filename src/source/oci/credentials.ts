import { join } from 'node:path';
import { homeFolder } from '../../support/home.ts';
import { withOwnLock } from '../file-lock.ts';
import { type Credential, isEmptyCredential, noCredential } from './credential.ts';
import { credentialHelper as openHelper, systemHelper } from './credential-helper.ts';
import {
  credentialHelper,
  credentialsStore,
  type DockerConfig,
  hasAuthentication,
  hasPlainCredential,
  plainCredential,
  readDockerConfig,
  saveDockerConfig,
  withCredential,
  withCredentialsStore,
} from './docker-config.ts';

interface Place {
  /** Helm's registry/config.json. */
  readonly registryConfig: string;
  readonly env: NodeJS.ProcessEnv;
}

/** What is known for a registry: in Helm's own file, else in Docker's. Go: credentials.NewStoreWithFallbacks. */
export async function findCredential(address: string, { registryConfig, env }: Place): Promise<Credential> {
  for (const path of [registryConfig, dockerConfigPath(env)]) {
    const config = await readDockerConfig(path);
    const helper = await helperFor(config, address, env);
    const found = helper === '' ? plainCredential(config, address) : await openHelper(helper, env).get(address);
    if (!isEmptyCredential(found)) return found;
  }
  return noCredential;
}

/** Keeps it in Helm's file, or by the helper that the file names; a helper that the system has is entered in the file. */
export function storeCredential(
  address: string,
  credential: Credential,
  { registryConfig, env }: Place,
): Promise<void> {
  return withOwnLock(registryConfig, async () => {
    const config = await readDockerConfig(registryConfig);
    const helper = await helperFor(config, address, env);
    if (helper === '') return saveDockerConfig(withCredential(config, address, credential));
    await openHelper(helper, env).store(address, credential);
    if (!hasAuthentication(config)) saveDockerConfig(withCredentialsStore(config, helper));
  });
}

/** Forgets it; what is not there is no failure. */
export async function eraseCredential(address: string, { registryConfig, env }: Place): Promise<void> {
  const config = await readDockerConfig(registryConfig);
  const helper = await helperFor(config, address, env);
  if (helper !== '') return openHelper(helper, env).erase(address);
  if (!hasPlainCredential(config, address)) return;
  await withOwnLock(registryConfig, async () => {
    const now = await readDockerConfig(registryConfig);
    if (hasPlainCredential(now, address)) saveDockerConfig(withCredential(now, address, undefined));
  });
}

/** By registry, for all, or what the system has where the file says nothing of any registry. */
const helperFor = async (config: DockerConfig, address: string, env: NodeJS.ProcessEnv): Promise<string> =>
  credentialHelper(config, address) ||
  credentialsStore(config) ||
  (hasAuthentication(config) ? '' : await systemHelper(env));

const dockerConfigPath = (env: NodeJS.ProcessEnv): string =>
  join(env['DOCKER_CONFIG'] || join(homeFolder(env['HOME']), '.docker'), 'config.json');
