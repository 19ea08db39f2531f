// A folder of static files as a site on loopback.
import { createReadStream, existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileAt } from './links.mjs';

const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

/** Gives the address without a slash at its end, and what stops it. */
export async function serveSite(site) {
  const server = createServer((request, response) => {
    const file = fileAt(site, decodeURIComponent(new URL(request.url, 'http://host').pathname));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(response);
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return { url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() };
}
