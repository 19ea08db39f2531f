import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decryptFile } from '../../../src/sops/decrypt.ts';
import { scratchDirectory } from '../support/charts.ts';

/** Beside the real program, which is no part of CI: sops 3.13 in $TSHELM_E2E_BIN. */
const sops = join(process.env['TSHELM_E2E_BIN'] ?? '', 'sops');
const keys = new URL('../../sops/fixtures/keys.txt', import.meta.url).pathname;
const env = { ...process.env, SOPS_AGE_KEY_FILE: keys };
const recipient = /age1\w+/.exec(readFileSync(keys, 'utf8'))?.[0] ?? '';
const folder = scratchDirectory();

const texts = [
  'plain|two words|yes|no|off|null|~|12|1.50|1e3|0x1F|0o7|012|1_000|true|-0|+1|0.1|1e21|123456789012345678901234567890|2024-05-06|12:30:45'.split(
    '|',
  ),
  [' lead', 'trail ', '#no', '- x', 'a: b', 'x:', ':', '?', '---', '=', '<<', '@at', '%p', '|', '>', '*s', '&s', '!t'],
  [
    'ü ☃ 😀',
    'tab\there',
    'a\nb',
    'a\nb\n',
    '\nfirst\n',
    '  in\n dented\n',
    'a\n\nb\n\n\n',
    'a \nb',
    'a\t\nx',
    'a\r\nb',
  ],
  ['\u0007', '\u2028', '\u00a0', '\ufeff', '', '"', "it's", 'long word '.repeat(30), 'x'.repeat(200)],
] as const;
const written = [
  ...texts[0],
  ...texts
    .slice(1)
    .flat()
    .map((text) => JSON.stringify(text)),
];

/** Numbers that look random and are the same each time. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 48_271) % 2_147_483_647;
    return Math.floor((state / 2_147_483_647) * below);
  };
}

function randomMap(random: (below: number) => number, margin = '', depth = 0): string {
  const value = (): string => written[random(written.length)] as string;
  return Array.from({ length: 1 + random(4) }, (_, index) => {
    const key = `${margin}${['a', 'password', 'x.y', '"q k"'][random(4)]?.replace(/"$/, '') ?? ''}${index}`;
    const name = key.includes('"') ? `${key}"` : key;
    const kind = random(depth > 3 ? 4 : 7);
    if (kind < 4) return `${name}: ${value()}\n`;
    if (kind === 4) return `${name}:\n${margin}- ${value()}\n${margin}- - ${value()}\n${margin}  - ${value()}\n`;
    if (kind === 5) return `${name}:\n${margin}- ${randomMap(random, `${margin}  `, depth + 1).trimStart()}`;
    return `${name}:\n${randomMap(random, `${margin}  `, depth + 1)}`;
  }).join('');
}

test.skipIf(!existsSync(sops))(
  'files of all kinds of values are to the byte what sops prints',
  { timeout: 300_000 },
  async () => {
    const path = join(folder, 'a.yaml');
    let read = 0;
    for (let seed = 1; seed <= 100; seed++) {
      const random = randomNumbers(seed * 7919);
      const text = `${randomMap(random)}${random(8) === 0 ? `---\n${randomMap(random)}` : ''}`;
      writeFileSync(path, text);
      const rule = [[], ['--encrypted-regex', '^(a|password)'], ['--unencrypted-regex', '^x']][random(3)] ?? [];
      const encrypted = spawnSync(sops, ['encrypt', '--age', recipient, ...rule, path], { env });
      expect([encrypted.stderr.toString(), encrypted.status], text).toEqual(['', 0]);
      writeFileSync(path, encrypted.stdout);
      const plain = spawnSync(sops, ['decrypt', path], { env });
      // Of a block that begins with blanks inside of a list sops writes what it cannot read.
      if (plain.status !== 0) continue;
      const own = await decryptFile(path, encrypted.stdout, {
        env: { SOPS_AGE_KEY_FILE: keys, PATH: '/nowhere' },
        learn: () => undefined,
        spelling: 'sops',
      });
      expect(Buffer.from(own ?? []).toString(), text).toBe(plain.stdout.toString());
      read += 1;
    }
    expect(read).toBeGreaterThan(80);
  },
);
