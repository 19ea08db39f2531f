import zlib from 'node:zlib';

/** By the name of its module: Node 18, which has no such function, still has to come to `node-version.ts`. */
export const crc32 = (data: Uint8Array | string, before?: number): number => zlib.crc32(data, before);
