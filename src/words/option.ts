import type { Sentence } from '../problem/sentence.ts';
import { shellWord } from '../support/text.ts';

/** Who reads of an option: flags are for a terminal, options for a program. */
export type Reader = 'terminal' | 'program';

/** A sentence with its options as flags, `--wait=ordered`, or as in a program, `wait: 'ordered'`. */
export const sentenceText = (sentence: Sentence, reader: Reader): string =>
  typeof sentence === 'string'
    ? sentence
    : sentence.map((part) => (typeof part === 'string' ? part : namedText(part.option, part.value, reader))).join('');

function namedText(option: string, value: string | undefined, reader: Reader): string {
  if (reader === 'terminal') return flagText(option, value);
  return value === undefined ? option : `${option}: ${['true', 'false'].includes(value) ? value : `'${value}'`}`;
}

/** What a remedy sets: `--server-side=false`, or `serverSide: false`. */
export function optionText(option: string, value: string | undefined, reader: Reader): string {
  if (reader === 'terminal') return flagText(option, value);
  return flags[option] === undefined || value !== undefined ? `${option}: ${value ?? 'true'}` : option;
}

function flagText(option: string, value: string | undefined): string {
  const flag = flags[option] ?? `--${option.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  return value === undefined ? flag : `${flag}=${shellWord(value)}`;
}

/** The flags that have another name than the option of the library, or take a value that the user has to know. */
const flags: Readonly<Record<string, string>> = {
  identities: '--identity FILE',
  passphrase: '--passphrase-file FILE',
  readinessTimeoutMs: '--readiness-timeout',
  replaceObjects: '--replace',
  staleAfterMs: '--stale-after 1m',
  waitLockMs: '--wait-lock 5m',
  'cluster.context': '--kube-context NAME',
  'cluster.kubeconfig': '--kubeconfig FILE',
};
