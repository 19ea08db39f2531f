import { YamlError } from './errors.ts';
import { type YamlMistake, yamlMistakes } from './mistake.ts';

export type TokenKind =
  | 'stream-end'
  | 'version-directive'
  | 'tag-directive'
  | 'document-start'
  | 'document-end'
  | 'block-sequence-start'
  | 'block-mapping-start'
  | 'block-end'
  | 'flow-sequence-start'
  | 'flow-sequence-end'
  | 'flow-mapping-start'
  | 'flow-mapping-end'
  | 'block-entry'
  | 'flow-entry'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

/** A place in the text; line and column count from 0, in characters (UTF-16 units). */
export interface Mark {
  readonly line: number;
  readonly column: number;
}

export interface Token extends Mark {
  readonly kind: TokenKind;
  /** The scalar's text, the name of an anchor or alias, a tag's or directive's handle, the version of %YAML. */
  readonly value: string;
  /** A tag's suffix, or the prefix of a %TAG directive. */
  readonly suffix: string;
  /** Whether a scalar has neither quotes nor a block indicator. */
  readonly isPlain: boolean;
}

/**
 * What is wrong, in libyaml's words, and where. `reportedLine` is the line that Go's library prints, 0 for none:
 * it counts scanner errors from 1 and parser errors from 0. Version 3 of the library prints where the collection or scalar
 * with the mistake begins, where it does not begin in the first line.
 */
export class YamlProblem extends Error {
  readonly mark: Mark;
  readonly reportedLine: number;
  readonly reportedLine3: number;
  readonly mistake: YamlMistake | undefined;

  constructor(
    problem: string,
    mark: Mark,
    reported: number | { readonly line: number; readonly context: number },
    mistake = yamlMistakes.get(problem),
  ) {
    super(problem);
    const { line, context } = typeof reported === 'number' ? { line: reported, context: reported } : reported;
    this.mistake = mistake;
    this.mark = mark;
    this.reportedLine = line;
    this.reportedLine3 = context || line;
  }

  /** With Go's words before it. */
  asError(before: string, version: 2 | 3 = 2): YamlError {
    const line = version === 3 ? this.reportedLine3 : this.reportedLine;
    const where = line === 0 ? '' : `line ${line}: `;
    const at = { line: this.mark.line + 1, column: this.mark.column + 1, mistake: this.mistake };
    return new YamlError(`${before}${where}${this.message}`, at);
  }
}
