import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { hashSync } from 'bcryptjs';
import type { TokenServer } from './token-server.ts';

/** distribution's registry, as a process of its own. */
export interface Registry {
  /** `127.0.0.1:5000`, or `localhost:5000` where it has TLS. */
  readonly host: string;
  stop(): void;
}

export interface RegistryOptions {
  /** The registry asks for this name and password, by TLS: the authority's certificate is `ca.pem` in the folder. */
  readonly user?: { readonly name: string; readonly password: string };
  /** Beside the password it asks for a certificate; `client.pem` and `client.key` are one. */
  readonly asksForCertificate?: boolean;
  /** It asks for tokens that this server gives. */
  readonly tokens?: TokenServer | undefined;
}

/** Starts a registry that keeps its content in a folder, on a port of loopback that it chooses itself. */
export async function startRegistry(
  folder: string,
  { user, asksForCertificate, tokens }: RegistryOptions = {},
): Promise<Registry> {
  mkdirSync(folder, { recursive: true });
  if (user !== undefined) {
    makeCertificates(folder);
    writeFileSync(join(folder, 'htpasswd'), `${user.name}:${hashSync(user.password, 4)}\n`);
  }
  const http = { addr: '127.0.0.1:0' };
  const tls = { certificate: join(folder, 'server.pem'), key: join(folder, 'server.key') };
  const secured = { ...http, tls: { ...tls, ...(asksForCertificate && { clientcas: [join(folder, 'ca.pem')] }) } };
  writeFileSync(
    join(folder, 'config.yml'),
    JSON.stringify({
      version: '0.1',
      log: { level: 'info', accesslog: { disabled: true } },
      storage: { filesystem: { rootdirectory: join(folder, 'data') } },
      http: user === undefined ? http : secured,
      ...(user && { auth: { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } } }),
      ...(tokens && { auth: { token: { ...tokens.asked, rootcertbundle: tokens.certificate } } }),
    }),
  );
  const program = join(process.env['TSHELM_E2E_BIN'] ?? '', 'registry');
  const child = spawn(program, ['serve', join(folder, 'config.yml')], { stdio: ['ignore', 'ignore', 'pipe'] });
  const port = await portOf(child);
  return { host: `${user === undefined ? '127.0.0.1' : 'localhost'}:${port}`, stop: () => void child.kill() };
}

/** What it says when it listens. The rest of its log is read and passed over, or it would stop at a full pipe. */
function portOf(child: ChildProcessByStdio<null, null, Readable>): Promise<string> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the registry ended with ${code}: ${log}`)));
    child.stderr.on('data', (piece: Buffer) => {
      log = `${log}${piece.toString()}`.slice(-4096);
      const [, port] = /listening on 127\.0\.0\.1:(\d+)/.exec(log) ?? [];
      if (port !== undefined) resolve(port);
    });
  });
}

function makeCertificates(folder: string): void {
  const openssl = (...words: string[]): void => void execFileSync('openssl', words, { cwd: folder, stdio: 'ignore' });
  writeFileSync(join(folder, 'ext'), 'subjectAltName=DNS:localhost,IP:127.0.0.1\n');
  openssl(...'req -x509 -newkey rsa:2048 -nodes -days 2 -keyout ca.key -out ca.pem -subj /CN=authority'.split(' '));
  for (const name of ['server', 'client']) {
    openssl(...`req -newkey rsa:2048 -nodes -keyout ${name}.key -out ${name}.csr -subj /CN=localhost`.split(' '));
    const signing = `x509 -req -days 2 -in ${name}.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out ${name}.pem`;
    openssl(...signing.split(' '), '-extfile', 'ext');
  }
}
