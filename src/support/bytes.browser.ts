// bytes.ts for browsers, by what every JavaScript has.
import { textOfUnits } from './code-units.ts';

const encoder = new TextEncoder();

export const utf8Bytes = (text: string): Uint8Array => encoder.encode(text);

export const base64Text = (bytes: Uint8Array): string => btoa(latin1Text(bytes));

export function base64Bytes(text: string): Uint8Array {
  const digits = text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replace(/=.*$/s, '')
    .replace(/[^A-Za-z0-9+/]/g, '');
  // One digit more than whole groups of four has not the bits of a byte.
  return latin1Bytes(atob(digits.length % 4 === 1 ? digits.slice(0, -1) : digits));
}

export const latin1Text = (bytes: Uint8Array): string => textOfUnits(bytes);

export function latin1Bytes(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}

export const hexText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

export function joinedBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
