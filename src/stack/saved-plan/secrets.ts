import type { DecidedChange } from '../../change/context.ts';
import { secretsIn, secretsInManifest } from '../../execute/secret-mask.ts';
import { itemsOf } from '../../manifest/items.ts';
import { maskSecrets } from '../../manifest/mask-secrets.ts';
import { isSecret, meaningful } from '../../manifest/meaningful.ts';
import { hasObject, parseManifest } from '../../manifest/parse.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { hidden } from '../../support/known-words.ts';
import { literalPattern } from '../../support/pattern.ts';
import { SecretWords } from '../../support/secret-words.ts';
import { writePlainYaml } from '../../yaml/index.ts';

/** What may be shown of texts and objects of a change. The same change always hides the same. */
export interface Mask {
  readonly text: (text: string) => string;
  /** A document: of a Secret nothing but its names and keys. */
  readonly document: (text: string, source: string) => string;
  readonly object: (object: KubernetesObject) => KubernetesObject;
}

/**
 * Hides what the Secrets of the change hold, and values under names such as `password`; `read`: what is secret for
 * certain, and hidden wherever an object holds it.
 */
export function maskOf({ plan, release, replaced }: DecidedChange, read: ReadonlySet<string> = new Set()): Mask {
  const words = new SecretWords();
  for (const secret of secretsIn(plan)) words.add(secret);
  for (const { config, manifest } of replaced === undefined ? [release] : [release, replaced]) {
    words.addValues(config);
    for (const secret of secretsInManifest(manifest)) words.add(secret);
  }
  for (const secret of read) words.add(secret);
  const inside = everywhere(read);
  const known = (plain: string): string => words.redact(plain);
  const text = (plain: string): string => known(inside(plain));
  const object = (plain: KubernetesObject): KubernetesObject => redacted(withoutSecrets(plain), text);
  return { text, object, document: (plain, source) => maskDocument(plain, source, { text: known, inside }) };
}

const withoutSecrets = (object: KubernetesObject): KubernetesObject => maskSecrets(meaningful(object), undefined)[0];

type Hide = (text: string) => string;

/** Hides each of the words, also within others; those that are too short, where they are all that stands in a line or after a key. */
function everywhere(secrets: ReadonlySet<string>): Hide {
  const forms = [...secrets].flatMap((secret) => {
    const plain = secret.trim();
    const lines = plain.includes('\n') ? plain.split('\n').filter((line) => line.length >= wholeLine) : [];
    return [plain, ...lines, JSON.stringify(plain).slice(1, -1), Buffer.from(secret).toString('base64')];
  });
  const byLength = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const long = byLength.filter((form) => form.length >= shortest);
  const short = byLength.filter((form) => form.length > 0 && form.length < shortest).map(literalPattern);
  const alone = new RegExp(`(?<=^(?:.*[:=-])?[ \\t]*["']?)(?:${short.join('|')})(?=["']?[ \\t]*$)`, 'gm');
  return (text) => {
    const rest = long.reduce((left, word) => left.replaceAll(word, hidden), text);
    return short.length === 0 ? rest : rest.replace(alone, hidden);
  };
}

const shortest = 4;
/** `-----END CERTIFICATE-----` and longer. */
const wholeLine = 16;

function maskDocument(plain: string, source: string, { text, inside }: { text: Hide; inside: Hide }): string {
  const manifest = parseManifest(plain, source);
  // What is no object is not known well enough to show a part of it.
  if (!hasObject(manifest)) return /\bkind["']?\s*:\s*["']?Secret/.test(plain) ? hiddenDocument : text(inside(plain));
  const { object } = manifest;
  const items = itemsOf(object);
  const hasSecrets = items.some(isSecret);
  if (!hasSecrets && inside(plain) === plain) return text(plain);
  const open = isSecret(object)
    ? withoutSecrets(object)
    : { ...object, ...(hasSecrets && { items: items.map(withoutSecrets) }) };
  return text(writePlainYaml(redacted(open, inside)));
}

const hiddenDocument = '# a malformed Secret\n';

/** Strings and numbers anywhere in a value, changed. Keys and names stay, so that everybody knows what is meant. */
function redacted<T>(value: T, redact: Hide): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, redact)) as T;
  if (typeof value === 'number' || typeof value === 'bigint')
    return redact(String(value)) === String(value) ? value : (hidden as T);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, nameKeys.has(key) ? item : redacted(item as unknown, redact)]),
  ) as T;
}

const nameKeys = new Set(['name', 'namespace', 'kind', 'apiVersion']);
