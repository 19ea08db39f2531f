import { pointerKeys } from '../../support/json.ts';

/** A place in a JSON value, and what the validator says of it. */
export interface SchemaFinding {
  readonly keys: readonly string[];
  readonly reason: string;
  /** The property that is missing there. */
  readonly missing?: string | undefined;
  /** The properties of it that are not allowed. */
  readonly extra?: readonly string[] | undefined;
  /** Names of which the value must be one. */
  readonly choice?: readonly string[] | undefined;
  /** It only says that something below it is wrong. */
  readonly isSummary?: true | undefined;
}

/**
 * The findings of github.com/santhosh-tekuri/jsonschema (output.go, kind/kind.go), each once: a schema that is referred to
 * from many places is told of as often. `- at '/service/port': got string, want integer`
 */
export const schemaFindings = (text: string): readonly SchemaFinding[] =>
  [...new Set(text.split('\n').map((line) => line.trimStart()))].flatMap((line) => {
    const [, path, reason] = /^- at '([^']*)': (.*)$/.exec(line) ?? [];
    if (path === undefined || reason === undefined || reason === 'validation failed') return [];
    // `missing property 'port'`, `additional properties 'prt', 'x' not allowed`, `value must be one of 'array', 'boolean'`, `'anyOf' failed`
    const missing = /^missing property '([^']+)'$/.exec(reason)?.[1];
    const extra = /^additional properties (.*) not allowed$/.exec(reason)?.[1];
    const choice = /^value must be one of (.*)$/.exec(reason)?.[1];
    return {
      keys: pointerKeys(path),
      reason,
      ...(missing !== undefined && { missing }),
      ...(extra !== undefined && { extra: quotedNames(extra) }),
      ...(choice !== undefined && { choice: [...choice.matchAll(/'(\w+)'/g)].map(([, name = '']) => name) }),
      ...(/^'\w+' failed\b/.test(reason) && { isSummary: true as const }),
    };
  });

/** Of `'a', 'b'`; a quote inside has a backslash before it. */
const quotedNames = (text: string): readonly string[] =>
  text
    .slice(1, -1)
    .split("', '")
    .map((name) => name.replaceAll("\\'", "'"));

/** Where a schema is no JSON Schema itself: `"file:///values.schema.json#/properties/a" is not valid against metaschema`. */
export function metaschemaPath(text: string): readonly string[] | undefined {
  const pointer = /^"file:\/\/\/values\.schema\.json#([^"]*)" is not valid against metaschema/.exec(text)?.[1];
  return pointer === undefined ? undefined : pointerKeys(pointer);
}

/** The URL that a schema refers to in vain: `json-pointer in "…" not found`, `failing loading "…": …`. */
export function missingReference(text: string): { readonly url: string; readonly isLoaded: boolean } | undefined {
  const missing = /^(?:json-pointer|anchor) in "([^"]+)" not found/.exec(text)?.[1];
  const url = missing ?? /^failing loading "([^"]+)": /.exec(text)?.[1];
  return url === undefined ? undefined : { url, isLoaded: missing !== undefined };
}
