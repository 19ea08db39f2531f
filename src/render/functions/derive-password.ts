import { encodeText } from '../../go/text.ts';
import { joinedBytes } from '../../support/bytes.ts';
import { hmacSha256, scrypt } from '../../support/cryptography.ts';

const seed = 'com.lyndir.masterpassword';
const scryptCost = { N: 32_768, r: 8, p: 2 };
const keyBytes = 64;

/** Each letter stands for a class of characters. */
const templates = new Map<string, readonly string[]>([
  ['maximum', ['anoxxxxxxxxxxxxxxxxx', 'axxxxxxxxxxxxxxxxxno']],
  [
    'long',
    [
      'CvcvnoCvcvCvcv',
      'CvcvCvcvnoCvcv',
      'CvcvCvcvCvcvno',
      'CvccnoCvcvCvcv',
      'CvccCvcvnoCvcv',
      'CvccCvcvCvcvno',
      'CvcvnoCvccCvcv',
      'CvcvCvccnoCvcv',
      'CvcvCvccCvcvno',
      'CvcvnoCvcvCvcc',
      'CvcvCvcvnoCvcc',
      'CvcvCvcvCvccno',
      'CvccnoCvccCvcv',
      'CvccCvccnoCvcv',
      'CvccCvccCvcvno',
      'CvcvnoCvccCvcc',
      'CvcvCvccnoCvcc',
      'CvcvCvccCvccno',
      'CvccnoCvcvCvcc',
      'CvccCvcvnoCvcc',
      'CvccCvcvCvccno',
    ],
  ],
  ['medium', ['CvcnoCvc', 'CvcCvcno']],
  ['short', ['Cvcn']],
  ['basic', ['aaanaaan', 'aannaaan', 'aaannaaa']],
  ['pin', ['nnnn']],
]);

const characters: Readonly<Record<string, string>> = {
  V: 'AEIOU',
  C: 'BCDFGHJKLMNPQRSTVWXYZ',
  v: 'aeiou',
  c: 'bcdfghjklmnpqrstvwxyz',
  A: 'AEIOUBCDFGHJKLMNPQRSTVWXYZ',
  a: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz',
  n: '0123456789',
  o: "@&%?,=[]_:-+*$#!'^~;()/.",
  x: 'AEIOUaeiouBCDFGHJKLMNPQRSTVWXYZbcdfghjklmnpqrstvwxyz0123456789!@#$%^&*()',
};

/** The password of the Master Password algorithm for a site: the same for the same arguments. */
export function derivePassword(counter: number, type: string, password: string, user: string, site: string): string {
  const candidates = templates.get(type);
  if (candidates === undefined) return `cannot find password template ${type}`;
  const salt = joinedBytes([encodeText(seed), withLength(user)]);
  const key = scrypt(encodeText(password), salt, keyBytes, scryptCost);
  const digest = hmacSha256(key, joinedBytes([encodeText(seed), withLength(site), uint32(counter)]));
  const template = candidates[(digest[0] as number) % candidates.length] as string;
  return [...template].map((letter, index) => characterOf(letter, digest[index + 1] as number)).join('');
}

function characterOf(letter: string, byte: number): string {
  const choices = characters[letter] as string;
  return choices.charAt(byte % choices.length);
}

function withLength(text: string): Uint8Array {
  const bytes = encodeText(text);
  return joinedBytes([uint32(bytes.length), bytes]);
}

/** Four bytes, the highest first. */
const uint32 = (value: number): Uint8Array => Uint8Array.of(value >>> 24, value >>> 16, value >>> 8, value);
