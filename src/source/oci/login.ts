import { messageOf, TshelmError } from '../../support/errors.ts';
import { answerError } from './answer-error.ts';
import { Authorizer } from './authorizer.ts';
import { noCredential, serverAddress } from './credential.ts';
import { eraseCredential, storeCredential } from './credentials.ts';
import { readDockerConfig } from './docker-config.ts';
import { checkRegistry, registryHost } from './reference.ts';
import type { RegistryOptions } from './registry-client.ts';

/** Tries the credential and keeps it. Go: registry.Client.Login. Fails with `authenticating to "HOST": …`. */
export async function login(registry: string, options: RegistryOptions): Promise<void> {
  const { http, tls = {}, learnSecret, plainHttp, username = '', password = '' } = options;
  checkRegistry(registry);
  // A file that cannot be read is told of before the password is sent anywhere.
  await readDockerConfig(options.registryConfig);
  const credential = { ...noCredential, username, password };
  const host = registryHost(registry);
  const url = `${plainHttp ? 'http' : 'https'}://${host}/v2/`;
  const ping = async (prefersOAuth2: boolean): Promise<void> => {
    const authorizer = new Authorizer({
      http,
      tls,
      learnSecret,
      prefersOAuth2,
      credential: async (asked) => (asked === host ? credential : noCredential),
    });
    const answer = await authorizer.send({ url });
    if (answer.status === 404) throw new Error('not found');
    if (answer.status !== 200) throw answerError('GET', answer);
  };
  try {
    // Of a registry that knows no OAuth2 the basic way counts, and its failure.
    await ping(true).catch(() => ping(false));
  } catch (cause) {
    const message = `authenticating to ${JSON.stringify(registry)}: ${messageOf(cause)}`;
    throw new TshelmError('registry-login-failed', { message, details: { registry }, cause });
  }
  await storeCredential(serverAddress(registry), credential, options);
}

/** Forgets the credential. Go: credentials.Logout. */
export async function logout(
  registry: string,
  options: Pick<RegistryOptions, 'registryConfig' | 'env'>,
): Promise<void> {
  const address = serverAddress(registry);
  try {
    await eraseCredential(address, options);
  } catch (cause) {
    const message = `failed to delete the credential for ${address}: ${messageOf(cause)}`;
    throw new TshelmError('registry-logout-failed', { message, details: { registry }, cause });
  }
}
