import { goDelimiters, type Keyword, Tokens } from '../../template/lexer.ts';
import { type Language, parseTemplate } from '../../template/parser.ts';

/** A template that parses, made of one that somebody is writing. */
export interface Mended {
  readonly text: string;
  /** The index in the text as it was given. */
  readonly given: (index: number) => number;
}

/** One action of a text. */
export interface Action {
  readonly from: number;
  /** Behind its right delimiter; of one without, where what belongs to it ends. */
  readonly until: number;
  readonly keyword: Keyword | undefined;
  /** It has a right delimiter, and only tokens that there are. */
  readonly isWhole: boolean;
}

/**
 * The text with what keeps it from being parsed taken out, so that the rest can be understood: actions that are not written
 * to their end become spaces, `end` is added where it is missing, and left out where nothing is open. A text that parses
 * stays as it is. `kept`: what to write instead of an action that is broken and holds this index.
 */
export function mended(text: string, language: Language, kept?: { readonly at: number; readonly as: string }): Mended {
  if (kept === undefined && parses(text, language)) return { text, given: (index) => index };
  const edits: Edit[] = [];
  const open: Action[] = [];
  for (const action of actionsIn(text)) {
    const { from, until, keyword } = action;
    const isKept = kept !== undefined && from < kept.at && kept.at <= until;
    if (isKept) edits.push({ from, until, text: kept.as });
    const own = isKept ? keywordOf(kept.as) : keyword;
    if (!isKept && !isSound(text.slice(from, until), action, language)) edits.push(blank(text, action));
    else if (own === 'define') {
      edits.push(...open.map(() => ({ from, until: from, text: end })));
      open.length = 0;
      open.push(action);
    } else if (own !== undefined && opens.has(own)) open.push(action);
    else if ((own === 'end' || own === 'else') && open.length === 0) edits.push(blank(text, action));
    else if (own === 'end') open.pop();
  }
  edits.push(...open.map(() => ({ from: text.length, until: text.length, text: end })));
  const result = edited(text, edits);
  return parses(result.text, language) ? result : { text: '', given: () => 0 };
}

const end = '{{end}}';
const opens: ReadonlySet<Keyword> = new Set<Keyword>(['if', 'with', 'range', 'define', 'block']);

const keywordOf = (action: string): Keyword | undefined => actionsIn(action)[0]?.keyword;

interface Edit {
  readonly from: number;
  readonly until: number;
  readonly text: string;
}

const blank = (text: string, { from, until }: Action): Edit => ({
  from,
  until,
  text: text.slice(from, until).replace(/[^\n]/g, ' '),
});

function edited(text: string, edits: readonly Edit[]): Mended {
  let result = '';
  let at = 0;
  const starts: { readonly made: number; readonly given: number }[] = [{ made: 0, given: 0 }];
  for (const edit of edits) {
    result += text.slice(at, edit.from);
    starts.push({ made: result.length, given: edit.from });
    result += edit.text;
    at = edit.until;
    starts.push({ made: result.length, given: at });
  }
  result += text.slice(at);
  const given = (index: number): number => {
    const found = starts.findLastIndex(({ made }) => made <= index);
    const start = starts[found] as (typeof starts)[number];
    return Math.min(start.given + index - start.made, starts[found + 1]?.given ?? text.length);
  };
  return { text: result, given };
}

/** Whether a text can be parsed. */
export function parses(text: string, language: Language): boolean {
  try {
    parseTemplate({ name: 'text', text }, language);
    return true;
  } catch {
    return false;
  }
}

/** Whether an action can be parsed by itself, with what has to be around it. */
function isSound(text: string, { keyword, isWhole }: Action, language: Language): boolean {
  if (!isWhole) return false;
  const variables = [...new Set(text.match(/\$\w+/g) ?? [])].map((name) => `{{${name} := 0}}`).join('');
  return parses(keyword === 'define' ? text + end : variables + surrounded(text, keyword), language);
}

function surrounded(text: string, keyword: Keyword | undefined): string {
  switch (keyword) {
    case 'if':
    case 'with':
    case 'range':
    case 'block':
      return text + end;
    case 'else':
      return `{{with 1}}${text}${end}`;
    case 'end':
      return `{{if 1}}${text}`;
    case 'break':
    case 'continue':
      return `{{range list}}${text}${end}`;
    default:
      return text;
  }
}

/** The actions of a text, comments left out, in its order; what is no action any more ends at the end of its line, or before the next one. */
export function actionsIn(text: string): readonly Action[] {
  const found: Action[] = [];
  for (let at = text.indexOf('{{'); at >= 0; at = text.indexOf('{{', at)) {
    const comment = /^\{\{(?:-\s)?\/\*/.exec(text.slice(at, at + 6));
    if (comment !== null) {
      at = commentEnd(text, at);
      continue;
    }
    const action = actionAt(text, at);
    found.push(action);
    at = Math.max(action.until, at + 2);
  }
  return found;
}

function commentEnd(text: string, from: number): number {
  const stop = text.indexOf('*/', from);
  const close = stop < 0 ? -1 : text.indexOf('}}', stop);
  return close < 0 ? lineEnd(text, from) : close + 2;
}

/** A text that breaks off is not looked at further than this. */
const longestAction = 20_000;

function actionAt(text: string, from: number): Action {
  const tokens = new Tokens(text.slice(from, from + longestAction), wholeActions);
  const first = tokens.kind(1);
  const keyword = keywords.has(first) ? (first as Keyword) : undefined;
  for (let index = 1; ; index++) {
    const kind = tokens.kind(index);
    if (kind === 'right-delimiter') return { from, until: from + tokens.end(index), keyword, isWhole: true };
    if (kind !== 'error' && kind !== 'eof') continue;
    const next = text.indexOf('{{', from + 2);
    const until = Math.min(lineEnd(text, from), next < 0 ? text.length : next);
    const close = text.slice(from, until).indexOf('}}');
    return { from, until: close < 0 ? until : from + close + 2, keyword, isWhole: false };
  }
}

/** Each action is read by itself. */
const wholeActions = { delimiters: goDelimiters, hasBreak: true, hasContinue: true, isKnown: () => false };

const keywords: ReadonlySet<string> = new Set<Keyword>([
  'block',
  'break',
  'continue',
  'define',
  'else',
  'end',
  'if',
  'range',
  'template',
  'with',
]);

const lineEnd = (text: string, from: number): number => {
  const found = text.indexOf('\n', from);
  return found < 0 ? text.length : found;
};
