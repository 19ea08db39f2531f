import type { BufferedFile } from './files.ts';

// Loaded where it is used: most commands pack nothing.

/** A file or a folder, with its mode. */
export interface TarEntry extends BufferedFile {
  readonly type: 'file' | 'directory';
  readonly mode: number;
}

/** A tar archive of files and folders. */
export async function packEntries(entries: readonly TarEntry[]): Promise<Uint8Array> {
  const { packTar: pack } = await import('modern-tar');
  return pack(
    entries.map(({ name, data, modifiedAt, type, mode }) => ({
      header: { name, type, mode, size: data.length, mtime: toSecond(modifiedAt) },
      body: data,
    })),
  );
}

/** A tar archive of files that everybody may read, owned by nobody in particular, as Go's archive/tar writes it. */
export async function packTar(files: readonly BufferedFile[]): Promise<Uint8Array> {
  const { packTar: pack } = await import('modern-tar');
  return pack(
    files.map(({ name, data, modifiedAt }) => ({
      header: {
        name,
        size: data.length,
        mode: 0o644,
        mtime: toSecond(modifiedAt),
        uid: 0,
        gid: 0,
        uname: '',
        gname: '',
      },
      body: data,
    })),
  );
}

/** Go rounds where no header for fractions is wanted. */
const toSecond = (time: Date): Date => new Date(Math.round(time.getTime() / 1000) * 1000);
