import { dirname, resolve } from 'node:path';
import { readBytes } from '../../go/files.ts';
import type { SigstoreDemand } from '../../sigstore/demand.ts';
import { expectedIdentity } from '../../sigstore/identity.ts';
import { readPublicKey } from '../../sigstore/public-key.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { isObject } from '../../support/json.ts';
import { nearest } from '../../support/near.ts';
import { trimSuffix } from '../../support/text.ts';
import { lineOfKeys, readOwnYaml, YamlError } from '../../yaml/index.ts';

/** Who may sign what: a file such as `trust.yaml`. */
export interface TrustPolicy {
  readonly path: string;
  readonly rules: readonly TrustRule[];
  /** Whether what no rule names may be used. */
  readonly allowsOthers: boolean;
}

export interface TrustRule {
  /** The start of addresses, at a whole part of their paths: `oci://registry.example.com/charts`. */
  readonly source: string;
  /** One of these must have signed. */
  readonly signedBy: readonly TrustedSigner[];
  /** No signature is asked for. */
  readonly allowsUnsigned: boolean;
  /** `trust.yaml:3` */
  readonly place: string;
}

export type TrustedSigner =
  | { readonly kind: 'pgp'; readonly keyring: string }
  | { readonly kind: 'sigstore'; readonly demand: SigstoreDemand };

/** Reads a trust policy and checks the files that it names; their paths are relative to its folder. Fails with `trust-policy-invalid`, which names every mistake. */
export async function readTrustPolicy(path: string): Promise<TrustPolicy> {
  let text: string;
  let content: unknown;
  try {
    text = readBytes(path).toString('utf8');
    content = readOwnYaml(text);
  } catch (cause) {
    throw invalidPolicy([cause instanceof YamlError ? `${path}: ${cause.message}` : messageOf(cause)], cause);
  }
  const reader = new PolicyReader(path, (keys) => lineOfKeys(text, keys));
  const policy = reader.policy(content);
  await reader.checkRoots();
  if (reader.mistakes.length > 0) throw invalidPolicy(reader.mistakes);
  return policy;
}

const invalidPolicy = (mistakes: readonly string[], cause?: unknown): TshelmError =>
  new TshelmError('trust-policy-invalid', { message: mistakes.join('\n'), details: { mistakes }, cause });

/** The rule for an address: the one with the longest source that it begins with. */
export function ruleFor(policy: TrustPolicy, origin: string): TrustRule | undefined {
  const address = comparable(origin);
  const matching = policy.rules
    .map((rule) => ({ rule, source: comparable(rule.source) }))
    .filter(({ source }) => address === source || address.startsWith(`${source}/`));
  const longest = Math.max(...matching.map(({ source }) => source.length));
  return matching.find(({ source }) => source.length === longest)?.rule;
}

/**
 * As a server understands it: without user, query and fragment, the host in small letters, dots, doubled slashes and needless
 * escapes in paths resolved.
 */
function comparable(address: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(address) ?? [];
  const web = `${scheme.toLowerCase() === 'http' ? 'http' : 'https'}://${rest}`;
  if (!URL.canParse(web)) return trimSuffix(address, '/');
  const { host, pathname } = new URL(web);
  const path = pathname.replace(/%[0-9a-f]{2}/gi, plainIfUnreserved).replace(/\/+/g, '/');
  return trimSuffix(`${scheme.toLowerCase()}://${host.replace(/\.(?=:|$)/, '')}${path}`, '/');
}

/** RFC 3986, 6.2.2.2: `%63` is `c`. */
function plainIfUnreserved(escaped: string): string {
  const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
}

const signerTexts = [
  'certificateIdentity',
  'certificateIdentityRegexp',
  'certificateOidcIssuer',
  'certificateOidcIssuerRegexp',
] as const;
const signerKeys = ['key', ...signerTexts, 'trustedRoot', 'insecureIgnoreTlog', 'keyring'];

type Path = readonly string[];

class PolicyReader {
  readonly mistakes: string[] = [];
  readonly #path: string;
  readonly #roots: { readonly file: string; readonly path: Path }[] = [];
  readonly #lineOf: (path: Path) => number | undefined;

  constructor(path: string, lineOf: (path: Path) => number | undefined) {
    this.#path = path;
    this.#lineOf = lineOf;
  }

  policy(content: unknown): TrustPolicy {
    const fields = this.#map(content, [], ['rules', 'others']);
    const { others = 'refused' } = fields;
    if (others !== 'allowed' && others !== 'refused') this.#complain(['others'], 'others is `allowed` or `refused`');
    const rules = this.#list(fields['rules'], ['rules']).map((one, index) => this.#rule(one, ['rules', String(index)]));
    return { path: this.#path, rules, allowsOthers: others === 'allowed' };
  }

  #rule(value: unknown, path: Path): TrustRule {
    const fields = this.#map(value, path, ['source', 'signedBy', 'unsigned']);
    const source = this.#text(fields['source'], [...path, 'source']) ?? '';
    if (!/^[a-z][a-z0-9+.-]*:\/\/./i.test(source))
      this.#complain(
        [...path, 'source'],
        'source is the start of an address, such as oci://registry.example.com/charts',
      );
    const { unsigned, signedBy } = fields;
    if (unsigned !== undefined && unsigned !== 'allowed')
      this.#complain([...path, 'unsigned'], 'unsigned is `allowed`; leave it out where a signature is needed');
    const signers = signedBy === undefined ? [] : this.#list(signedBy, [...path, 'signedBy']);
    if (signers.length === 0 && unsigned === undefined)
      this.#complain(path, 'a rule has signedBy with who may sign, or `unsigned: allowed`');
    if (signedBy !== undefined && unsigned !== undefined)
      this.#complain([...path, 'unsigned'], 'a rule has signedBy or `unsigned: allowed`, not both');
    return {
      source,
      signedBy: signers.map((one, index) => this.#signer(one, [...path, 'signedBy', String(index)])),
      allowsUnsigned: unsigned === 'allowed',
      place: this.#place(path),
    };
  }

  #signer(value: unknown, path: Path): TrustedSigner {
    const fields = this.#map(value, path, signerKeys);
    const keyring = this.#readable(fields['keyring'], [...path, 'keyring'], readBytes);
    if (keyring !== undefined) {
      if (Object.keys(fields).length > 1) this.#complain(path, 'a signer with a keyring (PGP) has no other key');
      return { kind: 'pgp', keyring };
    }
    const texts = Object.fromEntries(
      signerTexts.map((name) => [name, this.#text(fields[name], [...path, name])]),
    ) as Record<(typeof signerTexts)[number], string | undefined>;
    const key = this.#readable(fields['key'], [...path, 'key'], readPublicKey);
    const trustedRoot = this.#file(fields['trustedRoot'], [...path, 'trustedRoot']);
    if (trustedRoot !== undefined) this.#roots.push({ file: trustedRoot, path: [...path, 'trustedRoot'] });
    const { insecureIgnoreTlog } = fields;
    if (insecureIgnoreTlog !== undefined && typeof insecureIgnoreTlog !== 'boolean')
      this.#complain([...path, 'insecureIgnoreTlog'], 'insecureIgnoreTlog is true or false');
    const demand = { ...texts, key, trustedRoot, insecureIgnoreTlog: insecureIgnoreTlog === true };
    this.#checkNames(demand, path);
    return { kind: 'sigstore', demand };
  }

  #checkNames(demand: SigstoreDemand, path: Path): void {
    const hasIdentity = demand.certificateIdentity !== undefined || demand.certificateIdentityRegexp !== undefined;
    const hasIssuer = demand.certificateOidcIssuer !== undefined || demand.certificateOidcIssuerRegexp !== undefined;
    if (demand.key !== undefined ? hasIdentity || hasIssuer : !(hasIdentity && hasIssuer))
      this.#complain(path, 'a signer has a key, a keyring, or certificateIdentity with certificateOidcIssuer');
    else if (demand.key === undefined) this.#checkPatterns(demand, path);
  }

  #checkPatterns(demand: SigstoreDemand, path: Path): void {
    try {
      expectedIdentity(demand);
    } catch (cause) {
      this.#complain(path, messageOf(cause));
    }
  }

  /** What reads trusted roots is large: it is loaded where a signer names one. */
  async checkRoots(): Promise<void> {
    if (this.#roots.length === 0) return;
    const { readTrustedRoot } = await import('../../sigstore/trusted-root.ts');
    for (const { file, path } of this.#roots) this.#check(file, path, readTrustedRoot);
  }

  /** The absolute path of a file. */
  #file(value: unknown, path: Path): string | undefined {
    const text = this.#text(value, path);
    return text === undefined ? undefined : resolve(dirname(this.#path), text);
  }

  /** The path of a file that can be read. */
  #readable(value: unknown, path: Path, read: (file: string) => unknown): string | undefined {
    const file = this.#file(value, path);
    if (file !== undefined) this.#check(file, path, read);
    return file;
  }

  #check(file: string, path: Path, read: (file: string) => unknown): void {
    try {
      read(file);
    } catch (cause) {
      this.#complain(path, messageOf(cause));
    }
  }

  #map(value: unknown, path: Path, known: readonly string[]): Readonly<Record<string, unknown>> {
    if (!isObject(value)) {
      this.#complain(path, `${path.at(-1) ?? 'a trust policy'} needs keys: ${known.join(', ')}`);
      return {};
    }
    for (const key of Object.keys(value).filter((one) => !known.includes(one))) {
      const meant = nearest(key, known);
      this.#complain(
        [...path, key],
        `unknown key ${JSON.stringify(key)}${meant === undefined ? '' : `; did you mean ${meant}?`}`,
      );
    }
    return value;
  }

  #list(value: unknown, path: Path): readonly unknown[] {
    if (Array.isArray(value)) return value;
    this.#complain(path, `${path.at(-1)} is a list`);
    return [];
  }

  #text(value: unknown, path: Path): string | undefined {
    if (value === undefined || (typeof value === 'string' && value !== '')) return value;
    this.#complain(path, `${path.at(-1)} is a text`);
    return undefined;
  }

  #complain(path: Path, mistake: string): void {
    this.mistakes.push(`${this.#place(path)}: ${mistake}`);
  }

  #place(path: Path): string {
    const line = this.#lineOf(path);
    return line === undefined ? this.#path : `${this.#path}:${line}`;
  }
}
