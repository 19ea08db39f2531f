import { execFileSync } from 'node:child_process';
import { createSign } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** Gives tokens for a registry, as https://distribution.github.io/distribution/spec/auth/token/ and …/oauth/ say. */
export interface TokenServer {
  /** What the registry is told to ask for. */
  readonly asked: { readonly realm: string; readonly service: string; readonly issuer: string };
  /** The file of the certificate that the tokens are signed by. */
  readonly certificate: string;
  /** What was asked for since the last call, each request once, sorted: `GET scope=… service=… as user`. */
  requests(): readonly string[];
  stop(): void;
}

export interface TokenUser {
  readonly name: string;
  readonly password: string;
  /** What stands for name and password in Docker's configuration (`identitytoken`). */
  readonly refreshToken: string;
}

/**
 * Whoever signs in may do all that the scopes name; who does not may pull what is below `public/`. The files of its
 * certificate are made in the folder.
 */
export async function startTokenServer(folder: string, user: TokenUser): Promise<TokenServer> {
  mkdirSync(folder, { recursive: true });
  const making = 'req -x509 -newkey rsa:2048 -nodes -days 2 -keyout token.key -out token.pem -subj /CN=tokens';
  execFileSync('openssl', making.split(' '), { cwd: folder, stdio: 'ignore' });
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const [certificate, key] = [read('token.pem'), read('token.key')];
  const seen = new Set<string>();
  const server = createServer((request, response) => {
    void askedOf(request).then((asked) => {
      const who = whoAsks(asked, user);
      seen.add(`${request.method} ${shown(asked)} as ${who ?? 'a stranger'}`);
      if (who === undefined) {
        response.writeHead(401).end('{"errors":[{"code":"UNAUTHORIZED","message":"no such user"}]}');
        return;
      }
      const claims = { iss: 'tokens', aud: asked.form.get('service') ?? '', access: accessOf(asked.form, who) };
      const token = signed(claims, { certificate, key });
      response.end(JSON.stringify(request.method === 'POST' ? { access_token: token } : { token }));
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    asked: {
      realm: `http://127.0.0.1:${(server.address() as AddressInfo).port}/token`,
      service: 'charts',
      issuer: 'tokens',
    },
    certificate: join(folder, 'token.pem'),
    requests() {
      const all = [...seen].sort();
      seen.clear();
      return all;
    },
    stop: () => void server.close(),
  };
}

interface Asked {
  readonly form: URLSearchParams;
  readonly authorization: string;
}

async function askedOf(request: IncomingMessage): Promise<Asked> {
  const pieces: Buffer[] = [];
  for await (const piece of request as AsyncIterable<Buffer>) pieces.push(piece);
  const { searchParams } = new URL(request.url ?? '', 'http://host');
  const form = request.method === 'POST' ? new URLSearchParams(Buffer.concat(pieces).toString()) : searchParams;
  return { form, authorization: request.headers.authorization ?? '' };
}

/** '' for nobody in particular; undefined for who says a wrong name, password or token. */
function whoAsks({ form, authorization }: Asked, { name, password, refreshToken }: TokenUser): string | undefined {
  const basic = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`;
  switch (form.get('grant_type')) {
    case 'password':
      return form.get('username') === name && form.get('password') === password ? name : undefined;
    case 'refresh_token':
      return form.get('refresh_token') === refreshToken ? name : undefined;
    default:
      return authorization === '' ? '' : authorization === basic ? name : undefined;
  }
}

/** Without what is secret and what names the client. */
const shown = ({ form }: Asked): string =>
  [...form]
    .filter(([key]) => ['grant_type', 'scope', 'service'].includes(key))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(' ');

interface Access {
  readonly type: string;
  readonly name: string;
  readonly actions: readonly string[];
}

/** GET repeats the parameter, POST has all scopes in one. */
function accessOf(form: URLSearchParams, who: string): readonly Access[] {
  return form
    .getAll('scope')
    .flatMap((scopes) => scopes.split(' '))
    .filter((scope) => scope !== '')
    .map((scope) => {
      const [type = '', name = '', actions = ''] = scope.split(':');
      const wanted = actions.split(',');
      const isPublic = name.startsWith('public/');
      return { type, name, actions: who === '' ? wanted.filter((action) => isPublic && action === 'pull') : wanted };
    });
}

/** A JSON Web Token that carries its certificate. */
function signed(claims: object, { certificate, key }: { readonly certificate: string; readonly key: string }): string {
  const base64Url = (data: string | Buffer): string => Buffer.from(data).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const x5c = [certificate.replace(/-----[^-]*-----|\s/g, '')];
  const header = { typ: 'JWT', alg: 'RS256', x5c };
  const body = { ...claims, sub: 'test', jti: String(Math.random()), iat: now, nbf: now - 10, exp: now + 300 };
  const text = `${base64Url(JSON.stringify(header))}.${base64Url(JSON.stringify(body))}`;
  return `${text}.${base64Url(createSign('sha256').update(text).sign(key))}`;
}
