import { isObject } from '../support/json.ts';
import { hidden } from '../support/known-words.ts';
import { maskTree, type TreeOptions } from '../support/secret-tree.ts';
import { SecretWords } from '../support/secret-words.ts';
import type { PathPart } from './field-differences.ts';
import type { KubernetesObject } from './types.ts';
import { isSecret } from './without-server-state.ts';

type MaybeObject = KubernetesObject | undefined;

/**
 * Two states of one object for people to compare: what a Secret holds is hidden, its length too, and of other kinds what
 * `words` know, and what names and forms say to be secret. Of what is hidden only whether it has changed is reported. Both must
 * be {@link meaningful}.
 */
export function maskSecrets<T extends MaybeObject, U extends MaybeObject>(
  before: T,
  after: U,
  words: SecretWords = new SecretWords(),
): [T, U] {
  if (!isSecretOr(before) || !isSecretOr(after))
    return [maskOther(before, after, 'before', words), maskOther(after, before, 'after', words)];
  const values = [...valuesIn(before), ...valuesIn(after)];
  return [maskObject(before, after, 'before', values) as T, maskObject(after, before, 'after', values) as U];
}

function maskOther<T extends MaybeObject>(
  object: T,
  other: MaybeObject,
  side: TreeOptions['side'],
  words: SecretWords,
): T {
  if (object === undefined) return object;
  return maskTree(object, other, { side, mask: (text, kind) => words.redact(text, kind), ...treeOptions(object) });
}

/** The value of one field of an object, as it may be shown; `parts` lead to it. */
export function maskField(
  { kind, parts }: { readonly kind: string; readonly parts: readonly PathPart[] },
  value: unknown,
  words: SecretWords,
): unknown {
  const [first, holder, key] = [parts[0], parts.at(-2), parts.at(-1)];
  if (value === undefined || kind === 'Secret') return value === undefined ? value : hidden;
  if (typeof first !== 'string' || typeof key !== 'string') return value;
  const name = typeof holder === 'object' ? (holder.item as { name?: unknown } | undefined)?.name : undefined;
  const object = { kind, [first]: { name, [key]: value } } as unknown as KubernetesObject;
  return (maskOther(object, undefined, 'before', words)[first] as Readonly<Record<string, unknown>>)[key];
}

const treeOptions = ({ kind }: KubernetesObject): Omit<TreeOptions, 'side' | 'mask'> => ({
  hasValues: !withoutValuesKinds.has(kind),
  isName: (keys) => keys[0] !== 'data' && nameKeys.has(keys.at(-1) ?? ''),
  isFile: (keys) => kind === 'ConfigMap' && keys[0] === 'data',
});

const nameKeys: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'name', 'namespace']);

/** They describe fields, or only name what is secret. */
const withoutValuesKinds: ReadonlySet<string> = new Set([
  'CustomResourceDefinition',
  'ExternalSecret',
  'ClusterExternalSecret',
  'SealedSecret',
]);

const isSecretOr = (object: MaybeObject): boolean => object === undefined || isSecret(object);

function maskObject(object: MaybeObject, other: MaybeObject, side: string, values: readonly string[]): MaybeObject {
  if (object === undefined) return undefined;
  const { data, metadata, ...fields } = object;
  const plain = Object.entries(fields).map(([key, value]) => [key, isPlainField(key) ? value : hidden]);
  const shown = { ...Object.fromEntries(plain), metadata: withoutValues(metadata, values) } as KubernetesObject;
  return data === undefined ? shown : { ...shown, data: maskData(data, other?.['data'], other !== undefined, side) };
}

/** A misspelt `data` holds secrets too. */
const isPlainField = (key: string): boolean => ['apiVersion', 'kind', 'type', 'immutable'].includes(key);

function maskData(data: unknown, other: unknown, hasOther: boolean, side: string): unknown {
  if (!isObject(data)) return hidden;
  const counterpart = isObject(other) ? other : {};
  const mask = (key: string, value: unknown): string =>
    !hasOther || counterpart[key] === undefined || counterpart[key] === value ? hidden : `${hidden} (${side})`;
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, mask(key, value)]));
}

/** What a Secret holds, as it is stored and as it is meant. */
function valuesIn(secret: MaybeObject): readonly string[] {
  const data = secret?.['data'];
  if (!isObject(data)) return [];
  return Object.values(data).flatMap((value) => {
    const text = String(value);
    return [text, Buffer.from(text, 'base64').toString('utf8')];
  });
}

/** Shorter values are found in any text by chance. */
const shortestFound = 4;

/** A copy of the value without the texts in any of its strings; a name and a namespace stay. */
export function withoutValues<T>(value: T, texts: readonly string[]): T {
  const found = [...new Set(texts)].filter(({ length }) => length >= shortestFound).sort((a, b) => b.length - a.length);
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return found.reduce((text, one) => text.replaceAll(one, hidden), part);
    if (Array.isArray(part)) return part.map(clean);
    return isObject(part) ? Object.fromEntries(Object.entries(part).map(([key, item]) => [key, clean(item)])) : part;
  };
  const { name, namespace } = value as { name?: unknown; namespace?: unknown };
  const cleaned = clean(value) as T;
  return { ...cleaned, ...(name !== undefined && { name }), ...(namespace !== undefined && { namespace }) };
}

/** Whether a text that may not be readable as YAML seems to hold a Secret. */
export const mentionsSecret = (text: string): boolean => /\bkind["']?\s*:\s*["']?Secret(?:List)?\b/.test(text);
