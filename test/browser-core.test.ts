import { isIP, isIPv4 as nodeIsIPv4 } from 'node:net';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { browserFiles } from '../scripts/browser-files.mjs';
import { rawTexts } from '../scripts/raw-texts.mjs';
import * as browserGunzip from '../src/chart/gunzip.browser.ts';
import * as nodeGunzip from '../src/chart/gunzip.ts';
import { isIPv4, isIPv6 } from '../src/go/ip-address.ts';
import * as browserBytes from '../src/support/bytes.browser.ts';
import * as nodeBytes from '../src/support/bytes.ts';
import * as browserCryptography from '../src/support/cryptography.browser.ts';
import * as nodeCryptography from '../src/support/cryptography.ts';

test('what renders charts needs no module of Node in a browser', async () => {
  const entries = [
    'render/release',
    'render/engine',
    'chart/assemble',
    'chart/values-file',
    'template/template-set',
    'yaml/index',
  ];
  const contents = entries.map((entry, index) => `export * as part${index} from './src/${entry}.ts';`).join('\n');
  const { metafile } = await build({
    stdin: { contents, resolveDir: process.cwd() },
    bundle: true,
    platform: 'browser',
    format: 'esm',
    write: false,
    metafile: true,
    external: ['node:*'],
    plugins: [browserFiles, rawTexts],
  });
  const needed = Object.entries(metafile.inputs).flatMap(([file, { imports }]) =>
    imports.filter(({ path }) => path.startsWith('node:')).map(({ path }) => `${file}: ${path}`),
  );
  expect(needed).toEqual([]);
});

const texts = ['', 'a', 'ab', 'abc', 'Grüße 🚢', '\ufeffx', 'x'.repeat(10_000)];
const pieces = [...texts.map(nodeBytes.utf8Bytes), Uint8Array.from({ length: 256 }, (_, at) => at)];

describe('a browser gives the bytes that Node gives', () => {
  test.each(texts)('utf8Bytes: %j', (text) =>
    expect(Array.from(browserBytes.utf8Bytes(text))).toEqual(Array.from(nodeBytes.utf8Bytes(text))),
  );

  test('base64, Latin-1, hexadecimal, one after the other', () => {
    for (const piece of pieces) {
      expect(browserBytes.base64Text(piece)).toBe(nodeBytes.base64Text(piece));
      expect(browserBytes.hexText(piece)).toBe(nodeBytes.hexText(piece));
      const latin1 = nodeBytes.latin1Text(piece);
      expect(browserBytes.latin1Text(piece)).toBe(latin1);
      expect(plain(browserBytes.latin1Bytes(latin1))).toEqual(plain(nodeBytes.latin1Bytes(latin1)));
    }
    expect(plain(browserBytes.joinedBytes(pieces))).toEqual(plain(nodeBytes.joinedBytes(pieces)));
  });

  test.each(['', 'YQ==', 'YWI', 'YWI=x', 'YW\nJj', 'a-_b', '-----', 'abcde', '*&^'])('base64Bytes: %j', (text) =>
    expect(plain(browserBytes.base64Bytes(text))).toEqual(plain(nodeBytes.base64Bytes(text))),
  );

  test('hashes and HMAC', () => {
    for (const piece of pieces) {
      for (const name of ['sha1', 'sha256', 'sha512'] as const)
        expect(plain(browserCryptography.hash(name, piece))).toEqual(plain(nodeCryptography.hash(name, piece)));
      const key = nodeBytes.utf8Bytes('key');
      expect(plain(browserCryptography.hmacSha256(key, piece))).toEqual(plain(nodeCryptography.hmacSha256(key, piece)));
    }
  });

  test('scrypt', () => {
    const cost = { N: 1024, r: 8, p: 2 };
    const [password, salt] = [nodeBytes.utf8Bytes('password'), nodeBytes.utf8Bytes('salt')];
    const made = browserCryptography.scrypt(password, salt, 64, cost);
    expect(plain(made)).toEqual(plain(nodeCryptography.scrypt(password, salt, 64, cost)));
  });

  test('AES-256 in CBC mode, both ways', () => {
    const key = nodeCryptography.hash('sha256', nodeBytes.utf8Bytes('key'));
    const vector = key.subarray(0, 16);
    for (const piece of pieces) {
      const blocks = nodeCryptography.encryptAesCbc(key, vector, piece);
      expect(plain(browserCryptography.encryptAesCbc(key, vector, piece))).toEqual(plain(blocks));
      const text = nodeCryptography.decryptAesCbc(key, vector, blocks);
      expect(plain(browserCryptography.decryptAesCbc(key, vector, blocks))).toEqual(plain(text));
    }
  });

  test('random bytes, more than WebCrypto gives at a time', () => {
    const bytes = browserCryptography.randomBytes(200_000);
    expect(bytes.length).toBe(200_000);
    expect(new Set(bytes.subarray(-1000)).size).toBeGreaterThan(100);
  });

  test('gzip, of several members too', () => {
    const packed = Buffer.concat([gzipSync('one'), gzipSync('two')]);
    expect(nodeBytes.latin1Text(browserGunzip.gunzip(packed, 6))).toBe('onetwo');
    expect(nodeBytes.latin1Text(nodeGunzip.gunzip(packed, 6))).toBe('onetwo');
    expect(() => browserGunzip.gunzip(packed, 5)).toThrow(browserGunzip.TooLongError);
    expect(() => nodeGunzip.gunzip(packed, 5)).toThrow(nodeGunzip.TooLongError);
  });
});

const plain = (bytes: Uint8Array): number[] => Array.from(bytes);

const addresses = [
  '1.2.3.4',
  '256.1.1.1',
  '01.2.3.4',
  '1.2.3',
  '::',
  '::1',
  '1::',
  '1::2::3',
  ':1',
  '1:',
  '1:2:3:4:5:6:7:8',
  '1:2:3:4:5:6:7::',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7:8::',
  '::ffff:1.2.3.4',
  '1.2.3.4::',
  '::1.2.3.4:5',
  '12345::',
  'g::',
  'fe80::1%eth0',
  '::%',
];

test.each(addresses)('IP address: %s', (address) => {
  expect(isIPv4(address)).toBe(nodeIsIPv4(address));
  expect(isIPv6(address)).toBe(isIP(address) === 6);
});
