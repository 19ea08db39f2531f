/** What one signs in to a registry with. All fields are '' where there is nothing. */
export interface Credential {
  readonly username: string;
  readonly password: string;
  /** An identity token of Docker's, exchanged for access tokens. */
  readonly refreshToken: string;
  /** A token that is sent as it is. */
  readonly accessToken: string;
}

export const noCredential: Credential = { username: '', password: '', refreshToken: '', accessToken: '' };

export const isEmptyCredential = ({ username, password, refreshToken, accessToken }: Credential): boolean =>
  username === '' && password === '' && refreshToken === '' && accessToken === '';

/** The name under which the credentials of a registry are kept: Docker Hub's is historical. */
export const serverAddress = (registry: string): string =>
  registry === 'docker.io' || registry === 'registry-1.docker.io' ? 'https://index.docker.io/v1/' : registry;
