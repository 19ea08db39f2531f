// read-start.ts for browsers, which have no files.

export function readStart(): Uint8Array {
  throw Object.assign(new Error('a browser has no files'), { code: 'ENOENT' });
}
