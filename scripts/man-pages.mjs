// Writes dist/man/, a compressed page for each command. npm links them where `man` finds them when it installs the published package
// globally (not from an archive: it lists them when it publishes).
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'dist/man');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const words = [join(root, 'bin/tshelm'), 'docs', '--type', 'man', '--dir', folder];
execFileSync(process.execPath, words, { stdio: 'inherit' });
for (const name of readdirSync(folder)) {
  const page = join(folder, name);
  writeFileSync(`${page}.gz`, gzipSync(readFileSync(page), { level: 9 }));
  rmSync(page);
}
