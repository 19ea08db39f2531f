import type { SecretWords } from '../../support/secret-words.ts';
import type { Session } from '../session.ts';
import type { StackEvent, StackOptions } from './options.ts';

/** What the calls of a stack work with. */
export interface GivenStack {
  readonly options: StackOptions;
  readonly session: Session;
  /** What is not to be reported. */
  readonly secrets: SecretWords;
  readonly tell: (event: StackEvent) => void;
}
