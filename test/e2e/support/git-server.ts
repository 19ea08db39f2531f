import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server of git repositories (`git http-backend`) that one user may read. */
export interface GitServer {
  /** `127.0.0.1:8080` */
  readonly host: string;
  close(): void;
}

export async function startGitServer(
  folder: string,
  user: { readonly name: string; readonly password: string },
): Promise<GitServer> {
  const expected = `Basic ${Buffer.from(`${user.name}:${user.password}`).toString('base64')}`;
  const server = createServer((request, response) => {
    if (request.headers.authorization !== expected) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="charts"' }).end();
      return;
    }
    const { pathname, search } = new URL(request.url ?? '', 'http://server');
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env['PATH'],
        GIT_PROJECT_ROOT: folder,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'],
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
        GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
        REMOTE_USER: user.name,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    request.pipe(backend.stdin);
    const pieces: Buffer[] = [];
    backend.stdout.on('data', (piece: Buffer) => pieces.push(piece));
    backend.on('close', () => {
      const answer = Buffer.concat(pieces);
      const end = answer.indexOf('\r\n\r\n');
      const head = answer.subarray(0, end).toString().split('\r\n');
      const headers = head.map((line) => line.split(': ') as [string, string]);
      const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200';
      response.writeHead(
        Number.parseInt(status, 10),
        Object.fromEntries(headers.filter(([name]) => name !== 'Status')),
      );
      response.end(answer.subarray(end + 4));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}
