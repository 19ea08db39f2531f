import type { Session } from '../session.ts';
import type { StackEvent, StackOptions } from './options.ts';

/** What the calls of a stack work with. */
export interface GivenStack {
  readonly options: StackOptions;
  readonly session: Session;
  readonly tell: (event: StackEvent) => void;
}
