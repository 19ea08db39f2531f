/** tshelm/go-yaml: YAML as sigs.k8s.io/yaml, and so Kubernetes and Helm, read and write it (docs/go-template.md). */

import { GoError } from './go/value.ts';
import { goOf } from './go-template/value.ts';
import { YamlError } from './yaml/errors.ts';
import { readPlainYaml } from './yaml/reader.ts';
import { writeYaml, writeYamlPretty } from './yaml/writer.ts';

export { TypedValue, typed } from './go-template/value.ts';
export { YamlError } from './yaml/errors.ts';

export interface ToYamlOptions {
  /** As Helm's toYamlPretty: lists are indented below their key. */
  readonly pretty?: boolean | undefined;
}

export interface FromYamlOptions {
  /** Whether a key that occurs twice in a mapping is an error, as for UnmarshalStrict. */
  readonly strict?: boolean | undefined;
}

/** The data as YAML: sorted keys, Go's quotes and folds, a line break at the end. Throws {@link YamlError} with Go's words. */
export function toYaml(data: unknown, { pretty = false }: ToYamlOptions = {}): string {
  const value = goOf(data);
  try {
    return pretty ? writeYamlPretty(value) : writeYaml(value);
  } catch (error) {
    // Data that holds itself, or is too large.
    if (error instanceof GoError && !(error instanceof YamlError)) throw new YamlError(error.message, { cause: error });
    throw error;
  }
}

/**
 * The first document of a YAML text as plain data; null where it has none. Integers beyond JavaScript's safe range are
 * bigints. Throws {@link YamlError} with Go's words.
 */
export function fromYaml(text: string, { strict = false }: FromYamlOptions = {}): unknown {
  if (typeof text !== 'string') throw new TypeError(`the YAML is no string, but ${typeof text}`);
  return readPlainYaml(text, { strict });
}
