import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bin } from './sides.ts';

/** A repository of charts, on a free port of loopback. */
export interface Repository {
  readonly url: string;
  /** The folder with its index and its archives. */
  readonly folder: string;
  stop(): void;
}

export interface User {
  readonly name: string;
  readonly password: string;
}

/** Serves a folder; with a user it asks for the name and the password. */
export async function startRepository(folder: string, user?: User): Promise<Repository> {
  mkdirSync(folder, { recursive: true });
  const expected = user && `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
  const server = createServer(({ url = '', headers }, response) => {
    const file = join(folder, new URL(url, 'http://localhost').pathname);
    if (expected !== undefined && headers.authorization !== expected) response.writeHead(401).end();
    else if (!existsSync(file)) response.writeHead(404).end();
    else response.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, folder, stop: () => void server.close() };
}

/** Packs a chart's folder into the repository and writes its index anew. */
export function addChart({ folder }: Repository, chart: string): void {
  const helm = (...words: string[]) =>
    execFileSync(join(bin, 'helm'), words, { env: { ...process.env, HOME: folder }, stdio: 'pipe' });
  helm('package', chart, '--destination', folder);
  helm('repo', 'index', folder);
}
