import type { YamlMistake } from '../yaml/index.ts';

/** What is wrong in a chart's templates, values, schema or files. */
export type ChartFact = ValueFact | TemplateFact | YamlFact;

/** What is wrong with a value, named from the outermost chart. */
export interface ValueFact {
  /**
   * - `value-missing`: a template reads a field of a value that is not set, or requires it. Set it.
   * - `value-not-a-map`: a template reads a field of it. Give it as a map.
   * - `value-not-a-list`: a template ranges over it. Give it as a list or a map.
   */
  readonly code: 'value-missing' | 'value-not-a-map' | 'value-not-a-list';
  readonly keys: readonly string[];
  /** The field that was looked for in it. */
  readonly field?: string | undefined;
}

/** What is wrong in a template. */
export type TemplateFact =
  /** A template reads a field of what is nothing, and no value. Guard it with `with`, or set it. */
  | { readonly code: 'owner-null'; readonly owner: string; readonly field: string }
  /** A template reads a field of what is no map, such as a text. */
  | { readonly code: 'owner-not-a-map'; readonly owner: string; readonly field: string }
  /** A template ranges over what is neither a list nor a map. */
  | { readonly code: 'range-over-scalar'; readonly text: string }
  /** A template is included that no chart defines. Define it, or correct the name. */
  | { readonly code: 'template-unknown'; readonly name: string }
  /** A function gets a value of another type than it takes. Convert it. */
  | { readonly code: 'argument-type'; readonly wanted: string; readonly got: string }
  /** An `if`, `range`, `with`, `define` or `block` has no `end`. Add it. */
  | { readonly code: 'action-not-closed' }
  /** What begins with `{{` ends with one brace. Write two. */
  | { readonly code: 'brace-missing' };

/** A text that is no YAML, by what people mostly did. */
export interface YamlFact {
  readonly code: YamlMistake;
}
