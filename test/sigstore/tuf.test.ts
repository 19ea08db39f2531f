import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fetchPublicRoot, keptPublicRoot } from '../../src/sigstore/tuf.ts';
import { privateSigstore } from './private-sigstore.ts';

// A repository of The Update Framework of our own, in place of the public one. What a client has to refuse is chapter 5 of
// https://theupdateframework.github.io/specification/latest/.
const mirror = 'https://tuf-repo-cdn.sigstore.dev/';
const { trustedRoot } = privateSigstore();

/** As OLPC's canonical JSON, for texts and whole numbers. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`).join(',')}}`;
};

interface Signer {
  readonly id: string;
  readonly key: object;
  readonly privateKey: KeyObject;
}

function signer(): Signer {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const hex = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32).toString('hex');
  const key = { keytype: 'ed25519', scheme: 'ed25519', keyval: { public: hex } };
  return { id: createHash('sha256').update(canonical(key)).digest('hex'), key, privateKey };
}

const later = '2126-01-01T00:00:00Z';
const past = '2026-01-01T00:00:00Z';
const signed = (content: object, ...signers: readonly Signer[]): string => {
  const whole = { spec_version: '1.0.31', version: 1, expires: later, ...content };
  const text = Buffer.from(canonical(whole));
  const signatures = signers.map(({ id, privateKey }) => ({
    keyid: id,
    sig: sign(null, text, privateKey).toString('hex'),
  }));
  return JSON.stringify({ signed: whole, signatures });
};

const first = signer();
const online = signer();
const root = (rootSigner: Signer, version = 1, others = online): object => ({
  _type: 'root',
  version,
  consistent_snapshot: false,
  keys: { [rootSigner.id]: rootSigner.key, [others.id]: others.key },
  roles: {
    root: { keyids: [rootSigner.id], threshold: 1 },
    ...Object.fromEntries(
      ['timestamp', 'snapshot', 'targets'].map((role) => [role, { keyids: [others.id], threshold: 1 }]),
    ),
  },
});
const timestamp = (more: object = {}): object => ({
  _type: 'timestamp',
  meta: { 'snapshot.json': { version: 1 } },
  ...more,
});
const snapshot = (version = 1): object => ({ _type: 'snapshot', version, meta: { 'targets.json': { version: 1 } } });
const targetsOf = (text: string): object => ({
  _type: 'targets',
  targets: {
    'trusted_root.json': {
      length: text.length,
      hashes: { sha256: createHash('sha256').update(text).digest('hex') },
    },
  },
});

/** What the server has. */
const repository = (): Map<string, string> =>
  new Map([
    ['timestamp.json', signed(timestamp(), online)],
    ['snapshot.json', signed(snapshot(), online)],
    ['targets.json', signed(targetsOf(trustedRoot), online)],
    ['targets/trusted_root.json', trustedRoot],
  ]);

let folder: string;
let asked: string[];
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'tshelm-tuf-')), 'sigstore');
  asked = [];
  mkdirSync(folder);
  writeFileSync(join(folder, 'root.json'), signed(root(first), first));
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true }));

const fetched = (files: ReadonlyMap<string, string>) =>
  fetchPublicRoot({
    folder,
    read: async (url) => {
      const name = url.replace(mirror, '');
      asked.push(name);
      const text = files.get(name);
      return text === undefined ? undefined : Buffer.from(text);
    },
  });

test('the trusted root is fetched, kept, and not asked for again', async () => {
  expect(keptPublicRoot(folder)).toBeUndefined();
  const found = await fetched(repository());
  expect(found.tlogs).toHaveLength((JSON.parse(trustedRoot) as { tlogs: unknown[] }).tlogs.length);
  expect(asked).toEqual([
    '2.root.json',
    'timestamp.json',
    'snapshot.json',
    'targets.json',
    'targets/trusted_root.json',
  ]);
  asked = [];
  expect(await fetched(new Map())).toEqual(found);
  expect(asked).toEqual([]);
  expect(keptPublicRoot(folder)).toEqual(found);
});

test('a newer root that the old one has signed is followed', async () => {
  const second = signer();
  const files = repository().set('2.root.json', signed(root(second, 2), first, second));
  files.set('3.root.json', signed(root(second, 3), second));
  await fetched(files);
  expect(asked.slice(0, 4)).toEqual(['2.root.json', '3.root.json', '4.root.json', 'timestamp.json']);
});

// The second root takes the keys of the first away.
test('newer roots come first, also where the kept metadata has run out', async () => {
  await fetched(repository());
  writeFileSync(join(folder, 'timestamp.json'), signed(timestamp({ expires: past }), online));
  const files = repository().set('timestamp.json', signed(timestamp({ version: 2 }), online));
  files.set('2.root.json', signed(root(first, 2, signer()), first));
  await expect(fetched(files)).rejects.toThrow(/cannot be fetched: /);
});

const other = signer();
test.each<[string, Record<string, string>]>([
  ['a newer root that the old one has not signed', { '2.root.json': signed(root(other, 2), other) }],
  ['a newer root that it has not signed itself', { '2.root.json': signed(root(other, 2), first) }],
  ['a root that leaves out a version', { '2.root.json': signed(root(first, 3), first) }],
  ['a timestamp by somebody else', { 'timestamp.json': signed(timestamp(), other) }],
  ['a timestamp that has run out', { 'timestamp.json': signed(timestamp({ expires: past }), online) }],
  ['a snapshot of another version', { 'snapshot.json': signed(snapshot(2), online) }],
  ['targets by somebody else', { 'targets.json': signed(targetsOf(trustedRoot), other) }],
  ['targets without it', { 'targets.json': signed({ _type: 'targets', targets: {} }, online) }],
  ['a trusted root that was changed', { 'targets/trusted_root.json': trustedRoot.replace('{', '{ ') }],
  [
    'a target that is no trusted root',
    { 'targets.json': signed(targetsOf('{}'), online), 'targets/trusted_root.json': '{}' },
  ],
  ['metadata that is none', { 'timestamp.json': 'nonsense' }],
])('%s is refused', async (_name, changed) => {
  await expect(fetched(new Map([...repository(), ...Object.entries(changed)]))).rejects.toThrow(
    /^the sigstore trusted root cannot be fetched: /,
  );
});

test('what was fetched once is not followed by something older', async () => {
  const files = repository().set('timestamp.json', signed(timestamp({ version: 2 }), online));
  await fetched(files);
  // What is kept has run out, so the server is asked.
  writeFileSync(join(folder, 'timestamp.json'), signed(timestamp({ version: 2, expires: past }), online));
  await expect(fetched(repository())).rejects.toThrow(/cannot be fetched: /);
  expect(asked.slice(-1)).toEqual(['timestamp.json']);
  expect(await fetched(files.set('timestamp.json', signed(timestamp({ version: 3 }), online)))).toBeDefined();
});
