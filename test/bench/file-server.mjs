// A server of the files in a folder, on loopback; it prints its port. `/repoN` before a path is passed over.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const folder = process.argv[2];
const server = createServer((request, response) => {
  try {
    response.end(readFileSync(join(folder, request.url.replace(/^\/repo\d+/, ''))));
  } catch {
    response.writeHead(404).end();
  }
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
