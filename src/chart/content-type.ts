import { latin1Text } from '../support/bytes.ts';

/**
 * What a file that should be an archive seems to be, by its first 512 bytes (net/http.DetectContentType). Helm fills a
 * shorter file up with zeros, so that a short text counts as binary.
 */
export function detectContentType(data: Uint8Array): string {
  const text = latin1Text(data.subarray(0, 512)).padEnd(512, '\0');
  const start = text.replace(/^[\t\n\f\r ]+/, '');
  const markup = /^<(!doctype html|html|head|script|iframe|h1|div|font|table|a|style|title|b|body|br|p|!--)[ >]/i;
  if (markup.test(start)) return 'text/html; charset=utf-8';
  if (start.startsWith('<?xml')) return 'text/xml; charset=utf-8';
  const signature = signatures.find(([prefix]) => text.startsWith(prefix));
  if (signature !== undefined) return signature[1];
  return /[\0-\x08\x0b\x0e-\x1a\x1c-\x1f]/.test(start) ? 'application/octet-stream' : 'text/plain; charset=utf-8';
}

const signatures: readonly (readonly [string, string])[] = [
  ['%PDF-', 'application/pdf'],
  ['%!PS-Adobe-', 'application/postscript'],
  ['\xfe\xff', 'text/plain; charset=utf-16be'],
  ['\xff\xfe', 'text/plain; charset=utf-16le'],
  ['\xef\xbb\xbf', 'text/plain; charset=utf-8'],
  ['\0\0\x01\0', 'image/x-icon'],
  ['\0\0\x02\0', 'image/x-icon'],
  ['BM', 'image/bmp'],
  ['GIF87a', 'image/gif'],
  ['GIF89a', 'image/gif'],
  ['\x89PNG\r\n\x1a\n', 'image/png'],
  ['\xff\xd8\xff', 'image/jpeg'],
  ['ID3', 'audio/mpeg'],
  ['OggS\0', 'application/ogg'],
  ['PK\x03\x04', 'application/zip'],
  ['Rar!\x1a\x07\0', 'application/x-rar-compressed'],
  ['Rar!\x1a\x07\x01\0', 'application/x-rar-compressed'],
  ['\0asm', 'application/wasm'],
  ['\x1f\x8b\x08', 'application/x-gzip'],
];
