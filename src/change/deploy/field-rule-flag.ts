import { withPathErrors } from '../../go/path-error.ts';
import { decodeText } from '../../go/text.ts';
import { type FieldAction, noRules, readFieldRule } from '../../manifest/field-rules.ts';
import { readFieldRulesFile } from '../../manifest/field-rules-file.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { readStart } from '../../support/read-start.ts';

const mostBytes = 1 << 20;

/** The rules that a flag gives, one by one or as `@FILE`. Errors: `field-rule-invalid`, `bad-flag` for the file. */
export const fieldRulesOfFlag =
  (flag: string, otherwise?: FieldAction) =>
  (texts: readonly string[]): readonly string[] =>
    texts.flatMap((text) => {
      if (text.startsWith('@')) return readFieldRulesFile(fileText(flag, text.slice(1)), text.slice(1));
      if (text !== noRules) readFieldRule(text, { otherwise, place: flag });
      return [text];
    });

function fileText(flag: string, path: string): string {
  try {
    return decodeText(withPathErrors('open', path, () => readStart(path, mostBytes)));
  } catch (cause) {
    throw new TshelmError('bad-flag', { message: `${flag}: ${messageOf(cause)}`, cause });
  }
}
