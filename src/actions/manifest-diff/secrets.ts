import { learnFromObjects } from '../../change/learn-secrets.ts';
import { maskSecrets, withoutValues } from '../../manifest/mask-secrets.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { decodeBase64 } from '../../render/encoding/base64.ts';
import { messageOf } from '../../support/errors.ts';
import { sortedEntries } from '../../support/order.ts';
import { maskedAsPair } from '../../support/secret-tree.ts';
import { SecretWords } from '../../support/secret-words.ts';
import { readPlainYaml, writePlainYaml } from '../../yaml/index.ts';
import type { ManifestEntry } from './entries.ts';

type MaybeEntry = ManifestEntry | undefined;

/** How much of Secrets is shown: lengths alone, the decoded values, or the documents as they are. */
export type SecretsShown = 'redacted' | 'decoded' | 'as-is';

/**
 * Both states of an object as they may be shown. Follows helm-diff's redactSecrets and decodeSecrets, but for three gaps of
 * theirs: a Secret that is compared with an object of another kind is redacted too, and so is what a Secret's annotations
 * repeat of its values, and what is secret in objects of other kinds.
 */
export function shownEntries(
  before: MaybeEntry,
  after: MaybeEntry,
  {
    secrets: mode,
    words = new SecretWords(),
  }: { readonly secrets: SecretsShown; readonly words?: SecretWords | undefined },
): [MaybeEntry, MaybeEntry] {
  if (mode === 'as-is') return [before, after];
  const [old, next] = [read(before, 'old'), read(after, 'new')];
  if (mode === 'decoded') return [decoded(before, old), decoded(after, next)];
  const [openBefore, openAfter] = maskedEntries(old ? undefined : before, next ? undefined : after, words);
  return [redacted(before, old, next, '-') ?? openBefore, redacted(after, next, old, '+') ?? openAfter];
}

/** What the Secrets among the entries hold. */
export function learnFromEntries(entries: readonly ManifestEntry[], words: SecretWords): void {
  for (const entry of entries) if (entry.kind === 'Secret') learnFromObjects([objectOf(entry)], words);
}

function maskedEntries(before: MaybeEntry, after: MaybeEntry, words: SecretWords): [MaybeEntry, MaybeEntry] {
  const shownOf = (entry: MaybeEntry) =>
    entry && { plain: entry.content, shown: words.redact(entry.content, { isDocument: true }) };
  const [old, next] = [shownOf(before), shownOf(after)];
  const isOpen = old?.plain === old?.shown && next?.plain === next?.shown;
  const [oldObject, nextObject] = isOpen ? [] : maskSecrets(objectOf(before), objectOf(after), words);
  return [
    before && old && { ...before, content: next ? maskedAsPair(old, next, 'before') : old.shown, shown: oldObject },
    after && next && { ...after, content: old ? maskedAsPair(next, old, 'after') : next.shown, shown: nextObject },
  ];
}

/** Undefined for what cannot be read. */
function objectOf(entry: MaybeEntry): KubernetesObject | undefined {
  try {
    return entry && (readPlainYaml(entry.content) as KubernetesObject);
  } catch {
    // What is no YAML has no data of a Secret to mask.
    return undefined;
  }
}

type Read =
  | { readonly kind: 'secret'; readonly fields: Fields; readonly data: ReadonlyMap<string, Buffer> }
  | { readonly kind: 'unreadable'; readonly message: string }
  | undefined;

interface Fields {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: object;
  readonly immutable?: boolean;
  readonly type?: string;
  readonly data?: Readonly<Record<string, string | null>> | null;
  readonly stringData?: Readonly<Record<string, string | null>> | null;
}

function read(entry: MaybeEntry, side: string): Read {
  if (entry?.kind !== 'Secret') return undefined;
  try {
    const fields = readPlainYaml(entry.content) as Fields;
    const encoded = Object.entries(fields.data ?? {}).map(
      ([name, text]) => [name, Buffer.from(decodeBase64(text ?? ''))] as const,
    );
    // The API server puts what is under stringData over data.
    const plain = Object.entries(fields.stringData ?? {}).map(
      ([name, text]) => [name, Buffer.from(text ?? '')] as const,
    );
    return { kind: 'secret', fields, data: new Map([...encoded, ...plain]) };
  } catch (cause) {
    return { kind: 'unreadable', message: `Error parsing ${side} secret: ${messageOf(cause)}` };
  }
}

function redacted(entry: MaybeEntry, own: Read, other: Read, sign: '-' | '+'): MaybeEntry {
  if (entry === undefined || own === undefined) return undefined;
  if (own.kind === 'unreadable') return { ...entry, content: own.message };
  const others = other?.kind === 'secret' ? other.data : new Map<string, Buffer>();
  const shown = sortedEntries(own.data).map(([name, value]) => {
    const isSame = others.get(name)?.equals(value) === true;
    return [name, `${isSame ? 'REDACTED' : sign.repeat(8)} # (${value.length} bytes)`];
  });
  const values = [...own.data.values(), ...others.values()].map((value) => value.toString());
  const metadata = withoutValues(own.fields.metadata ?? {}, values);
  const text = secretToYaml({ ...own.fields, metadata }, Object.fromEntries(shown)).replace('stringData', 'data');
  return { ...entry, content: commentOf(entry) + text };
}

function decoded(entry: MaybeEntry, own: Read): MaybeEntry {
  if (entry === undefined || own === undefined) return entry;
  if (own.kind === 'unreadable') return { ...entry, content: own.message };
  const shown = [...own.data].map(([name, value]) => [name, value.toString()]);
  return { ...entry, content: commentOf(entry) + secretToYaml(own.fields, Object.fromEntries(shown)) };
}

/** The fields that a Secret has, in order of their names. */
function secretToYaml(
  { apiVersion, immutable, kind, metadata, type }: Fields,
  stringData: Record<string, string>,
): string {
  const values = Object.keys(stringData).length === 0 ? undefined : stringData;
  return writePlainYaml({ apiVersion, immutable, kind, metadata: metadata ?? {}, stringData: values, type });
}

/** The first line, where it is the comment that names the template. */
const commentOf = ({ content }: ManifestEntry): string =>
  content.startsWith('#') && content.includes('\n') ? content.slice(0, content.indexOf('\n') + 1) : '';
