import { hidden } from './known-words.ts';

/** A text whose URLs name neither a user nor a password: `https://***@host`. */
export const withoutUserInfo = (text: string): string => text.replace(/:\/\/[^\s/?#"']*@/g, `://${hidden}@`);

/** The same of a text that is one URL, however it is written; `proxy`: without a scheme too. */
export const urlWithoutUserInfo = (text: string, { proxy = false } = {}): string =>
  !proxy || text.includes('://')
    ? text.replace(/:\/\/[^/?#]*@/, `://${hidden}@`)
    : text.replace(/^[^/?#]*@/, `${hidden}@`);
