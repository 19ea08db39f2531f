import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packEntries, type TarEntry } from '../../chart/tar.ts';
import { GoError } from '../../go/value.ts';
import { compareText } from '../../support/order.ts';

/**
 * A folder as a .tgz, all of it below one name. A link to a file is that file, since archives with links are not
 * installed. Throws GoError. Go: plugin.CreatePluginTarball.
 */
export const folderArchive = async (folder: string, name: string): Promise<Uint8Array> =>
  gzipSync(await packEntries(entriesOf(folder, name)));

function entriesOf(path: string, name: string): TarEntry[] {
  const stats = statSync(path);
  const { mode, mtime: modifiedAt } = stats;
  if (stats.isFile()) return [{ name, type: 'file', mode: mode & 0o777, modifiedAt, data: readFileSync(path) }];
  if (!stats.isDirectory() || (lstatSync(path).isSymbolicLink() && name.includes('/')))
    throw new GoError(`${path} is neither a file nor a folder, so a plugin archive cannot contain it`);
  const inner = readdirSync(path).sort(compareText);
  return [
    { name, type: 'directory', mode: mode & 0o777, modifiedAt, data: new Uint8Array() },
    ...inner.flatMap((entry) => entriesOf(join(path, entry), `${name}/${entry}`)),
  ];
}
