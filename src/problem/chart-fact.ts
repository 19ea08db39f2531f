import type { FieldPath } from '../manifest/field-path.ts';
import type { Quote } from './quote.ts';

/** What is wrong in a chart's templates, values, schema or files. Values are named from the outermost chart. */
export type ChartFact =
  /** A template reads a field of a value that is not set, or requires the value. Set the value. */
  | {
      readonly code: 'value-missing';
      readonly keys: readonly string[];
      /** The field that was looked for in it. */
      readonly field?: string | undefined;
    }
  /** A template reads a field of a value that is not a map. Set the value to a map. */
  | { readonly code: 'value-not-a-map'; readonly keys: readonly string[]; readonly field: string }
  /** A template ranges over a value that is neither a list nor a map. Set the value to a list or a map. */
  | { readonly code: 'value-not-a-list'; readonly keys: readonly string[] }
  /** The user, or the chart's values.yaml, sets a value that nothing in the chart reads. Correct the name or the place of the value, or remove the value. */
  | {
      readonly code: 'value-unread';
      readonly keys: readonly string[];
      /** What the chart reads, and was probably meant. */
      readonly meant?: readonly string[] | undefined;
      /** It is the chart that sets it. */
      readonly isDefault?: true | undefined;
    }
  /** The schema of a chart does not allow a value. Set the value as the schema requires. */
  | { readonly code: 'value-misfit'; readonly keys: readonly string[]; readonly words: Quote }
  /** An object would be set to a value that is still encrypted with sops. Decrypt the value, or move the value to a values file that sops encrypts as a whole, which tshelm decrypts. If another program decrypts the object, keep the value with the annotation `tshelm.dev/encrypted-values: keep`. An object that sops encrypted as a whole (it has a field `sops`) keeps its values without the annotation. */
  | { readonly code: 'value-encrypted'; readonly path: FieldPath }
  /** A values.schema.json is not valid JSON. Correct the file, or skip the check (skipSchemaValidation). */
  | { readonly code: 'schema-not-json'; readonly mistake?: JsonMistake | undefined; readonly words: Quote }
  /** A keyword of a values.schema.json has a value that JSON Schema does not allow. Correct the value. */
  | {
      readonly code: 'schema-keyword';
      readonly path: readonly string[];
      /** What it says, where that is no list and no map. */
      readonly value?: string | undefined;
      readonly words: Quote;
    }
  /** A `$ref` in a values.schema.json refers to something that is missing or cannot be fetched. Correct the `$ref`, or copy the definition into the file. */
  | {
      readonly code: 'schema-reference';
      readonly path: readonly string[];
      readonly value: string;
      readonly why: 'not-found' | 'other-file' | 'not-fetched';
    }
  /** A values.schema.json cannot be used for another reason. Correct the schema where the validator's words point. */
  | { readonly code: 'schema-invalid'; readonly words: Quote }
  /** A template calls `fail` or `required` to refuse the values. Do what the message of the chart says. */
  | { readonly code: 'chart-refuses'; readonly words: Quote }
  /** A template cannot be read, or fails, for a reason that has no code of its own. Correct the line that the message names, as Helm's error says. */
  | { readonly code: 'template-failed'; readonly words: Quote }
  /** A template reads a field of a variable or an expression that is null or not set. Put the line inside `with`, or set the variable. */
  | { readonly code: 'owner-null'; readonly owner: string; readonly field: string }
  /** A template reads a field of something that is not a map, such as a string. Read the field of a map. */
  | { readonly code: 'owner-not-a-map'; readonly owner: string; readonly field: string }
  /** A template ranges over an expression that is neither a list nor a map. Range over a list or a map. */
  | { readonly code: 'range-over-scalar'; readonly text: string }
  /** A template includes a name that no chart defines. Define the template, or correct the name. */
  | { readonly code: 'template-unknown'; readonly name: string }
  /** A template includes itself, directly or through other templates, without end. Include another template, or stop at some depth. */
  | { readonly code: 'include-endless'; readonly name: string }
  /** A template calls a function that does not exist. Correct the name of the function. */
  | { readonly code: 'function-unknown'; readonly name: string }
  /** A function gets an argument of the wrong type. Convert the argument, or set the value to one of the right type. */
  | {
      readonly code: 'argument-type';
      readonly wanted: string;
      readonly got: string;
      /** The value that the argument is, where it is one. */
      readonly keys?: readonly string[] | undefined;
    }
  /** A function gets too few or too many arguments; the value before a pipe counts as one. Add or remove arguments. */
  | {
      readonly code: 'argument-count';
      readonly name: string;
      readonly given: number;
      readonly wanted: number;
      /** It takes more, too. */
      readonly isLeast: boolean;
    }
  /** An `if`, `range`, `with`, `define` or `block` has no `end`. Add `{{ end }}`. */
  | {
      readonly code: 'action-not-closed';
      /** Where one alone is open: `if`, and its line. */
      readonly word?: string | undefined;
      readonly line?: number | undefined;
    }
  /** An `end` or `else` is outside of any block. Remove it, or add the `if`, `range` or `with` that it belongs to. */
  | { readonly code: 'end-without-block'; readonly word: 'end' | 'else' }
  /** An action that begins with `{{` ends with one brace or with none. Write `}}`. */
  | {
      readonly code: 'brace-missing';
      /** Both braces. */
      readonly isWhole?: true | undefined;
    }
  /** A multi-line string is indented less than its key. Indent the string further. */
  | { readonly code: 'block-left'; readonly key: string }
  /** A chart cannot be rendered for a reason that has no code of its own. Correct what the message names. */
  | { readonly code: 'chart-not-rendered'; readonly words: Quote }
  /** A template renders text that is not valid YAML, or a file is not valid YAML. Correct the line that the message names: usually its indentation, or a value that needs quotes. */
  | { readonly code: 'yaml-invalid'; readonly words: Quote }
  /** YAML does not allow this character here. Indent with spaces; quote a string that begins with `@`, a backtick or `%`. */
  | { readonly code: 'yaml-character' }
  /** A line of YAML is indented with a tab. Indent with spaces. */
  | { readonly code: 'yaml-tab' }
  /** A line of YAML is indented too little or too far. Correct the indentation. */
  | { readonly code: 'yaml-indent' }
  /** A line of YAML is indented like a list item, but does not begin with a dash. Add the dash, or correct the indentation. */
  | { readonly code: 'yaml-list-item' }
  /** A line of YAML is not `key: value`. Add the colon, or indent the multi-line string that the line belongs to. */
  | { readonly code: 'yaml-colon-missing' }
  /** A line of YAML has a map where no map is allowed. Correct the indentation, or quote a string that contains ": ". */
  | { readonly code: 'yaml-nested-mapping' }
  /** A list begins where YAML does not allow a list. Put the dash on a line of its own, under the key. */
  | { readonly code: 'yaml-list-in-line' }
  /** A quoted string in YAML is not closed. Add the closing quote. */
  | { readonly code: 'yaml-quote-open' }
  /** A quoted string in YAML is not closed before the next document. Add the closing quote. */
  | { readonly code: 'yaml-quote-open-at-document' }
  /** A string in double quotes has a backslash that does not begin a known escape. Write two backslashes, or use single quotes. */
  | { readonly code: 'yaml-escape' }
  /** A bracket in YAML is not closed. Add the closing bracket, or quote the string inside. */
  | { readonly code: 'yaml-bracket-open' }
  /** A string in YAML begins with `*`, which refers to an anchor that does not exist. Quote the string, or add the anchor. */
  | { readonly code: 'yaml-anchor-unknown' }
  /** A map in YAML has the same key twice. Remove one of the two keys. */
  | { readonly code: 'yaml-key-twice' }
  /** A file is a list or a single value instead of a map. Write `key: value`, and put a list under a key. */
  | { readonly code: 'yaml-no-map' };

/** The usual mistakes in a text that is not JSON. */
export type JsonMistake =
  | 'empty'
  | 'trailing-comma'
  | 'comment'
  | 'single-quote'
  | 'comma-missing'
  | 'colon-missing'
  | 'key-not-quoted'
  | 'text-open'
  | 'text-after-end'
  | 'bracket-open';
