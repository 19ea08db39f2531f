import type { DecidedChange } from '../../change/context.ts';
import { secretsIn, secretsInManifest } from '../../execute/secret-mask.ts';
import { itemsOf } from '../../manifest/items.ts';
import { maskSecrets } from '../../manifest/mask-secrets.ts';
import { isSecret, meaningful } from '../../manifest/meaningful.ts';
import { hasObject, parseManifest } from '../../manifest/parse.ts';
import type { KubernetesObject } from '../../manifest/types.ts';
import { SecretWords } from '../../support/secret-words.ts';
import { writePlainYaml } from '../../yaml/index.ts';

/** What may be shown of texts and objects of a change. The same change always hides the same. */
export interface Mask {
  readonly text: (text: string) => string;
  /** A document: of a Secret nothing but its names and keys. */
  readonly document: (text: string, source: string) => string;
  readonly object: (object: KubernetesObject) => KubernetesObject;
}

/** Hides what the Secrets of the change hold, and values under names such as `password`. */
export function maskOf({ plan, release, replaced }: DecidedChange): Mask {
  const words = new SecretWords();
  for (const secret of secretsIn(plan)) words.add(secret);
  for (const { config, manifest } of replaced === undefined ? [release] : [release, replaced]) {
    words.addValues(config);
    for (const secret of secretsInManifest(manifest)) words.add(secret);
  }
  const text = (plain: string): string => words.redact(plain);
  const object = (plain: KubernetesObject): KubernetesObject => redacted(withoutSecrets(plain), text);
  return { text, object, document: (plain, source) => maskDocument(plain, source, text) };
}

const withoutSecrets = (object: KubernetesObject): KubernetesObject => maskSecrets(meaningful(object), undefined)[0];

function maskDocument(text: string, source: string, redact: (text: string) => string): string {
  const manifest = parseManifest(text, source);
  // What is no object is not known well enough to show a part of it.
  if (!hasObject(manifest)) return /\bkind["']?\s*:\s*["']?Secret/.test(text) ? hiddenDocument : redact(text);
  const { object } = manifest;
  const items = itemsOf(object);
  if (!items.some(isSecret)) return redact(text);
  if (isSecret(object)) return redact(writePlainYaml(withoutSecrets(object)));
  return redact(writePlainYaml({ ...object, items: items.map(withoutSecrets) }));
}

const hiddenDocument = '# a malformed Secret\n';

/** Strings anywhere in a value, changed. Keys and names stay, so that everybody knows what is meant. */
function redacted<T>(value: T, redact: (text: string) => string): T {
  if (typeof value === 'string') return redact(value) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => redacted(item, redact)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, nameKeys.has(key) ? item : redacted(item as unknown, redact)]),
  ) as T;
}

const nameKeys = new Set(['name', 'namespace', 'kind', 'apiVersion']);
