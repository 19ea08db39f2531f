import { trimSpace } from '../../go/runes.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { readPlainYaml, writePlainYaml, writePlainYamlInOrder } from '../../yaml/index.ts';

/** One object of a manifest, as a comparison of manifests sees it. */
export interface ManifestEntry {
  /** `NAMESPACE, NAME, KIND (GROUP)` */
  readonly key: string;
  readonly kind: string;
  /** The document as it is in the manifest, its comment with the template's path included. */
  readonly content: string;
  /** An upgrade that drops it leaves it in the cluster (`helm.sh/resource-policy: keep`). */
  readonly isKept: boolean;
  /** The document as an object, where `content` is masked: then it need not be YAML. */
  readonly shown?: unknown;
}

export type ManifestEntries = ReadonlyMap<string, ManifestEntry>;

export interface EntryOptions {
  /** Of objects that name none. */
  readonly namespace: string;
  /** Writes each document anew, with sorted keys, so that style is no difference. */
  readonly normalize?: boolean | undefined;
  /** Hooks of `helm test` are left out unless they are asked for. */
  readonly includeTests?: boolean | undefined;
}

/**
 * The objects of a manifest by their keys; of several with one key the first counts. Documents without kind and version
 * are left out. Follows helm-diff's manifest.Parse. Errors: `invalid-manifest`.
 */
export function readEntries(manifest: string, options: EntryOptions): ManifestEntries {
  const entries = new Map<string, ManifestEntry>();
  for (const document of `\n${manifest}`.split('\n---\n')) {
    const content = trimSpace(document);
    if (content === '') continue;
    for (const entry of entriesOf(content, options)) {
      if (!entries.has(entry.key)) entries.set(entry.key, entry);
    }
  }
  return entries;
}

interface Head {
  readonly apiVersion?: string | null;
  readonly kind?: string | null;
  readonly metadata?: {
    readonly name?: string | null;
    readonly namespace?: string | null;
    readonly annotations?: Readonly<Record<string, string>> | null;
  } | null;
  readonly items?: readonly unknown[] | null;
}

function entriesOf(content: string, options: EntryOptions): readonly ManifestEntry[] {
  const object = read(content);
  const { apiVersion, kind, metadata, items } = object;
  if (!apiVersion && !kind) return [];
  if (kind?.endsWith('List')) return (items ?? []).flatMap((item) => entriesOf(writePlainYamlInOrder(item), options));
  const annotations = metadata?.annotations ?? {};
  if (!options.includeTests && testHooks.has(annotations['helm.sh/hook'] ?? '')) return [];
  const group = (apiVersion ?? '').split('/').slice(0, -1).join('/') || (apiVersion ?? '');
  const name = annotations['helm-diff/base-name'] ?? metadata?.name ?? '';
  const key = `${metadata?.namespace || options.namespace}, ${name}, ${kind ?? ''} (${group})`;
  const isKept = annotations['helm.sh/resource-policy'] === 'keep';
  return [{ key, kind: kind ?? '', content: options.normalize ? writePlainYaml(object) : content, isKept }];
}

const testHooks: ReadonlySet<string> = new Set(['test', 'test-success']);

function read(content: string): Head {
  try {
    return (readPlainYaml(content) ?? {}) as Head;
  } catch (cause) {
    const message = `YAML unmarshal error: ${messageOf(cause)}\nCan't unmarshal ${content}`;
    throw new TshelmError('invalid-manifest', { message, cause });
  }
}
