import type { FieldPath } from '../manifest/field-path.ts';
import type { Quote } from './quote.ts';

/** What is wrong in a chart's templates, values, schema or files. Values are named from the outermost chart. */
export type ChartFact =
  /** A template reads a field of a value that is not set, or requires the value. Set it. */
  | {
      readonly code: 'value-missing';
      readonly keys: readonly string[];
      /** The field that was looked for in it. */
      readonly field?: string | undefined;
    }
  /** A template reads a field of a value that is not a map. Give it as a map. */
  | { readonly code: 'value-not-a-map'; readonly keys: readonly string[]; readonly field: string }
  /** A template ranges over a value that is neither a list nor a map. Give it as a list or a map. */
  | { readonly code: 'value-not-a-list'; readonly keys: readonly string[] }
  /** The user, or the chart's values.yaml, sets a value that nothing in the chart reads. Correct its name or its place, or remove it. */
  | {
      readonly code: 'value-unread';
      readonly keys: readonly string[];
      /** What the chart reads, and was probably meant. */
      readonly meant?: readonly string[] | undefined;
      /** It is the chart that sets it. */
      readonly isDefault?: true | undefined;
    }
  /** The schema of a chart does not allow a value. Set what the schema asks for. */
  | { readonly code: 'value-misfit'; readonly keys: readonly string[]; readonly words: Quote }
  /** An object would get a value as sops encrypted it. Decrypt it with sops, or put it in a file of values and give that to the action, which decrypts it. An object that another program decrypts keeps such values with the annotation `tshelm.dev/encrypted-values: keep`, and also where sops encrypted all of it (it has a field `sops`). */
  | { readonly code: 'value-encrypted'; readonly path: FieldPath }
  /** A values.schema.json is no JSON. Correct it, or leave the check out (skipSchemaValidation). */
  | { readonly code: 'schema-not-json'; readonly mistake?: JsonMistake | undefined; readonly words: Quote }
  /** A keyword of a values.schema.json has a value that JSON Schema does not know. Correct it. */
  | {
      readonly code: 'schema-keyword';
      readonly path: readonly string[];
      /** What it says, where that is no list and no map. */
      readonly value?: string | undefined;
      readonly words: Quote;
    }
  /** A reference in a values.schema.json leads to nothing, or to what is not fetched. Correct it, or copy what it refers to into the file. */
  | {
      readonly code: 'schema-reference';
      readonly path: readonly string[];
      readonly value: string;
      readonly why: 'not-found' | 'other-file' | 'not-fetched';
    }
  /** A values.schema.json cannot be used for another reason. Correct the schema where the validator's words point. */
  | { readonly code: 'schema-invalid'; readonly words: Quote }
  /** A template ends with `fail` or `required`. Do what the author of the chart says. */
  | { readonly code: 'chart-refuses'; readonly words: Quote }
  /** A template cannot be read, or fails, for a reason that has no code of its own. Correct the line that is named; Helm's words say what is wrong there. */
  | { readonly code: 'template-failed'; readonly words: Quote }
  /** A template reads a field of something that is null or not set, and is not a value. Guard it with `with`, or set it. */
  | { readonly code: 'owner-null'; readonly owner: string; readonly field: string }
  /** A template reads a field of something that is not a map, such as a string. */
  | { readonly code: 'owner-not-a-map'; readonly owner: string; readonly field: string }
  /** A template ranges over a value that is neither a list nor a map. */
  | { readonly code: 'range-over-scalar'; readonly text: string }
  /** A template includes a name that no chart defines. Define the template, or correct the name. */
  | { readonly code: 'template-unknown'; readonly name: string }
  /** A template includes itself, by way of others or not, and does not end. Let it end, or include another one. */
  | { readonly code: 'include-endless'; readonly name: string }
  /** A template calls a function that does not exist. Correct the name. */
  | { readonly code: 'function-unknown'; readonly name: string }
  /** A function gets a value of the wrong type. Convert the value. */
  | { readonly code: 'argument-type'; readonly wanted: string; readonly got: string }
  /** A function gets too few or too many arguments; the value before a pipe counts as one. Add or remove some. */
  | {
      readonly code: 'argument-count';
      readonly name: string;
      readonly given: number;
      readonly wanted: number;
      /** It takes more, too. */
      readonly isLeast: boolean;
    }
  /** An `if`, `range`, `with`, `define` or `block` has no `end`. Add it. */
  | { readonly code: 'action-not-closed' }
  /** An action that begins with `{{` ends with one brace. Write two. */
  | { readonly code: 'brace-missing' }
  /** A text of several lines is indented less than the key that it belongs to. Indent it further. */
  | { readonly code: 'block-left'; readonly key: string }
  /** A chart cannot be rendered for a reason that has no code of its own. Correct what the message names. */
  | { readonly code: 'chart-not-rendered'; readonly words: Quote }
  /** What a template renders is no YAML, or a file of the chart or of the user is none. Correct the line that is named: most often its indentation, or a value that needs quotes. */
  | { readonly code: 'yaml-invalid'; readonly words: Quote }
  /** YAML does not allow this character here. Indent with spaces; quote a text that begins with `@`, a backtick or `%`. */
  | { readonly code: 'yaml-character' }
  /** A line of YAML is indented with a tab. Use spaces. */
  | { readonly code: 'yaml-tab' }
  /** A line of YAML is indented too little or too far. Correct it. */
  | { readonly code: 'yaml-indent' }
  /** A line of YAML is indented like a list item, but does not begin with a dash. Correct it. */
  | { readonly code: 'yaml-list-item' }
  /** A line of YAML is no `key: value`. Add the colon, or indent the text of several lines that it belongs to. */
  | { readonly code: 'yaml-colon-missing' }
  /** A line of YAML has a map where none can be. Correct its indentation, or quote a text that has ": " in it. */
  | { readonly code: 'yaml-nested-mapping' }
  /** A list begins in a line of YAML where none can. Begin it in a line of its own, below its key. */
  | { readonly code: 'yaml-list-in-line' }
  /** A quote of YAML is not closed. Close it. */
  | { readonly code: 'yaml-quote-open' }
  /** A quote of YAML is not closed before the next document. Close it. */
  | { readonly code: 'yaml-quote-open-at-document' }
  /** A text in double quotes has a backslash that begins no escape. Write two, or use single quotes. */
  | { readonly code: 'yaml-escape' }
  /** A bracket of YAML is not closed. Close it, or quote the text in it. */
  | { readonly code: 'yaml-bracket-open' }
  /** A text of YAML begins with `*`, and there is no such anchor. Quote it, or add the anchor. */
  | { readonly code: 'yaml-anchor-unknown' }
  /** A map of YAML has a key twice. Remove one of them. */
  | { readonly code: 'yaml-key-twice' }
  /** A file is a list or a single value where keys are needed. Write it as `key: value`, below a key if it is a list. */
  | { readonly code: 'yaml-no-map' };

/** What was mostly done where a text is no JSON. */
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
