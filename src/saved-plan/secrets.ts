import type { DecidedChange } from '../change/context.ts';
import {
  learnFromPlan,
  learnFromRecordedTemplates,
  learnFromReleases,
  learnFromTemplates,
} from '../change/learn-secrets.ts';
import { itemsOf } from '../manifest/items.ts';
import { maskSecrets, mentionsSecret } from '../manifest/mask-secrets.ts';
import { hasObject, parseManifest } from '../manifest/parse.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { isSecret, withoutServerState } from '../manifest/without-server-state.ts';
import { hidden } from '../support/known-words.ts';
import { literalPattern } from '../support/pattern.ts';
import { SecretWords } from '../support/secret-words.ts';
import { writePlainYaml } from '../yaml/index.ts';

/** What may be shown of texts and objects of a change. The same change always hides the same. */
export interface Mask {
  readonly text: (text: string) => string;
  /** A document: of a Secret nothing but its names and keys. */
  readonly document: (text: string, source: string) => string;
  readonly object: (object: KubernetesObject) => KubernetesObject;
}

/**
 * Hides what the Secrets of the change hold, and what names and forms say to be secret; `read`: what is secret for
 * certain, and hidden wherever an object holds it; `words`: what the run knows to be secret.
 */
export function maskOf(
  { plan, release, replaced, again }: DecidedChange,
  {
    read = new Set(),
    words = new SecretWords(),
  }: { read?: ReadonlySet<string> | undefined; words?: SecretWords | undefined } = {},
): Mask {
  learnFromPlan(plan, words);
  for (const one of replaced === undefined ? [release] : [release, replaced]) learnFromReleases([one], words);
  for (const secret of read) words.add(secret);
  if (replaced !== undefined) learnFromRecordedTemplates(replaced, words);
  if (again !== undefined) learnFromTemplates(again, words);
  const inside = everywhere(read);
  const text = (plain: string): string => words.redact(inside(plain));
  const open = (plain: KubernetesObject): KubernetesObject => maskSecrets(plain, undefined, words)[0];
  return {
    text,
    object: (plain) => redacted(open(withoutServerState(plain)), text),
    document: (plain, source) => maskDocument(plain, source, { open, text, inside }),
  };
}

type Hide = (text: string) => string;

/** Hides each of the words, also within others; those that are too short, where they are all that is in a line or after a key. */
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

interface Hiding {
  readonly open: (object: KubernetesObject) => KubernetesObject;
  readonly text: Hide;
  readonly inside: Hide;
}

function maskDocument(plain: string, source: string, { open, text, inside }: Hiding): string {
  const manifest = parseManifest(plain, source);
  // What is no object is not known well enough to show a part of it.
  if (!hasObject(manifest)) return mentionsSecret(plain) ? hiddenDocument : text(plain);
  const { object } = manifest;
  const shown = isSecret(object) ? open(withoutServerState(object)) : openItems(open(object), open);
  if (shown === object && inside(plain) === plain) return text(plain);
  return writePlainYaml(redacted(shown, text));
}

/** A list, with its items as they may be shown. */
function openItems(object: KubernetesObject, open: Hiding['open']): KubernetesObject {
  const items = itemsOf(object);
  if (!items.some(isSecret)) return object;
  return { ...object, items: items.map((item) => open(isSecret(item) ? withoutServerState(item) : item)) };
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
