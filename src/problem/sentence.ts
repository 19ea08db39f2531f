/** A sentence that may name options of an action as data: a terminal prints flags, the library options. */
export type Sentence = string | SentenceParts;

export type SentenceParts = readonly (string | NamedOption)[];

interface NamedOption {
  /** By its name in the library: `readinessTimeoutMs`. */
  readonly option: string;
  readonly value?: string | undefined;
}
