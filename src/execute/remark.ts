import type { Sentence } from '../problem/sentence.ts';
import { sentenceText } from '../words/option.ts';
import type { ExecutionEvent } from './events.ts';

/** A note or a warning: its text names the options of the library, its parts let others name them as they do. */
export const remark = (kind: Remark['kind'], sentence: Sentence): Remark => ({
  kind,
  text: sentenceText(sentence, 'program'),
  ...(typeof sentence === 'string' ? {} : { parts: sentence }),
});

export type Remark = Extract<ExecutionEvent, { readonly kind: 'note' | 'warning' }>;
