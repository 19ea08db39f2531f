import { GoError } from '../go/value.ts';
import type { YamlMistake } from './mistake.ts';

/**
 * A YAML text that cannot be read, or a value that cannot be written. The message is Go's, to the byte;
 * `line` and `column` (both 1-based, 0 where unknown) show where the text went wrong, for an excerpt.
 */
export class YamlError extends GoError {
  readonly line: number;
  readonly column: number;
  readonly mistake: YamlMistake | undefined;

  constructor(
    message: string,
    at: { line?: number; column?: number; cause?: unknown; mistake?: YamlMistake | undefined } = {},
  ) {
    super(message, at.cause === undefined ? undefined : { cause: at.cause });
    this.name = 'YamlError';
    this.line = at.line ?? 0;
    this.column = at.column ?? 0;
    this.mistake = at.mistake;
  }
}
