import { createHash, createHmac } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

/** The credentials that it knows. */
export const s3Key = { id: 'AKIDEXAMPLE', secret: 'wJalrXUtnFEMI/K7MDENG', region: 'eu-west-1' };

/** Serves the objects of a folder as `/KEY`, to requests with AWS's signature version 4 alone. */
export async function startS3(folder: string): Promise<{ readonly url: string; stop(): void }> {
  const server = createServer((request, response) => {
    const file = join(folder, request.url ?? '');
    if (!isSigned(request)) response.writeHead(403).end('SignatureDoesNotMatch');
    else if (!existsSync(file)) response.writeHead(404).end('NoSuchKey');
    else response.end(readFileSync(file));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() };
}

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html */
function isSigned({ method = '', url = '', headers }: IncomingMessage): boolean {
  const [, scope = '', names = '', signature] =
    /Credential=[^/]+\/([^,]+), SignedHeaders=([^,]+), Signature=(\w+)/.exec(headers.authorization ?? '') ?? [];
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const payload = String(headers['x-amz-content-sha256'] ?? sha256(''));
  const request = [method, url, '', signed.join(''), names, payload].join('\n');
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(request)].join('\n');
  const key = scope
    .split('/')
    .reduce<string | Buffer>((above, part) => createHmac('sha256', above).update(part).digest(), `AWS4${s3Key.secret}`);
  return createHmac('sha256', key).update(text).digest('hex') === signature;
}
