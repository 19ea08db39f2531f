import { gzipSync } from 'node:zlib';
import { packTar } from 'modern-tar';

const ofRoot = { uname: 'root', gname: 'root', uid: 0, gid: 0 };

export const fileEntry = (path, { content, mode }, mtime) => ({
  header: { ...ofRoot, name: path, size: content.length, mode, mtime, type: 'file' },
  body: content,
});

export const folderEntry = (path, mtime) => ({
  header: { ...ofRoot, name: path, size: 0, mode: 0o755, mtime, type: 'directory' },
});

export const tarGz = async (entries) => gzipSync(await packTar(entries), { level: 9 });
