import { brotliDecompressSync } from 'node:zlib';
import packed from '../../../docs?manual';

/** The pages of docs/ for users: name without `.md`, and Markdown. */
export const manualPages = (): ReadonlyMap<string, string> =>
  new Map(Object.entries(JSON.parse(String(brotliDecompressSync(Buffer.from(packed, 'base64'))))));
