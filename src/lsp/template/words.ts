import type { Extent } from '../../support/lines.ts';
import { goDelimiters, type TokenKind, Tokens } from '../../template/lexer.ts';

/** A word of an action that names something outside of it. */
export interface Word extends Extent {
  readonly kind: 'function' | 'helper' | 'definition' | 'field' | 'variable';
  /** Of a helper without its quotes; of a field without its dot. */
  readonly name: string;
  /** Of a field, what it is read of as it is written: `$.Values.image` for `tag`. */
  readonly owner: string;
}

/** The words of a text that parses, in its order. Where a helper's name is put together by functions it is none. */
export function wordsIn(text: string): readonly Word[] {
  const tokens = new Tokens(text, wholeText);
  const words: Word[] = [];
  let before = '';
  let owner: Extent | undefined;
  for (let index = 0; ; index++) {
    const kind = tokens.kind(index);
    if (kind === 'eof' || kind === 'error') return words;
    const from = tokens.position(index);
    const until = tokens.end(index);
    const written = text.slice(from, until);
    const isAttached = owner?.until === from;
    if (kind === 'field' && !isAttached) owner = { from, until: from };
    if (kind === 'identifier') words.push({ kind: 'function', name: written, owner: '', from, until });
    else if (kind === 'variable') words.push({ kind: 'variable', name: written, owner: '', from, until });
    else if (kind === 'string' || kind === 'raw-string') words.push(...helperNamed(written, from, before));
    else if (kind === 'field' && owner !== undefined)
      words.push({
        kind: 'field',
        name: written.slice(1),
        owner: text.slice(owner.from, from),
        from: from + 1,
        until,
      });
    owner = ownerAfter(kind, owner, { from, until });
    before = kind === 'text' ? before : written;
  }
}

/** What a field right after this token is read of. */
function ownerAfter(kind: TokenKind, owner: Extent | undefined, { from, until }: Extent): Extent | undefined {
  if (kind === 'field') return { from: owner?.from ?? from, until };
  return kind === 'variable' || kind === 'right-paren' ? { from, until } : undefined;
}

function helperNamed(written: string, from: number, before: string): readonly Word[] {
  const about = { name: written.slice(1, -1), owner: '', from: from + 1, until: from + written.length - 1 };
  if (before === 'define') return [{ kind: 'definition', ...about }];
  if (before === 'block') return [{ kind: 'definition', ...about }];
  return before === 'include' || before === 'template' ? [{ kind: 'helper', ...about }] : [];
}

const wholeText = { delimiters: goDelimiters, hasBreak: true, hasContinue: true, isKnown: () => false };
