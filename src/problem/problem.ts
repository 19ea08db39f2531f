import type { ResourceId } from '../manifest/types.ts';
import type { Fact } from './fact.ts';
import type { Place } from './place.ts';
import type { Quote } from './quote.ts';
import type { Remedy } from './remedy.ts';

/** What is wrong, as data: what a person reads of it is made in `words`, what a program reads is this. */
export interface Problem {
  /** Stable, documented and printed: `image-not-found`. */
  readonly code: ProblemCode;
  readonly certainty: Certainty;
  readonly subject: Subject;
  readonly cause: Fact;
  /** What was seen of it, where the cause was found elsewhere. */
  readonly symptom?: Fact | undefined;
  /** Where to change it, the likely place first. */
  readonly places: readonly Place[];
  /** What to do about it, the likely way first. */
  readonly remedies: readonly Remedy[];
  readonly evidence: readonly Evidence[];
  /** `unjudged`: the run ended before this was decided. `foreseen`: the API server was only asked. Default `failed`. */
  readonly state?: 'failed' | 'unjudged' | 'foreseen' | undefined;
}

/**
 * `known`: the server, the trace of the output or a parser says so; it may be the headline. `likely`: a heuristic, a
 * program's log or an experiment found it; it gets one line that begins with "maybe" and decides nothing.
 */
export type Certainty = 'known' | 'likely';

/** What a problem is about. */
export type Subject =
  | { readonly kind: 'object'; readonly id: ResourceId; readonly template?: string | undefined }
  | { readonly kind: 'template'; readonly file: string }
  | { readonly kind: 'value'; readonly keys: readonly string[] }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'release' }
  | { readonly kind: 'cluster' };

/** What a problem rests on. */
export interface Evidence {
  readonly kind: 'log' | 'event';
  /** Of an event: `FailedScheduling`, and how often it has happened. */
  readonly reason?: string | undefined;
  readonly count?: number | undefined;
  /** Of a log: it is that of the container before its last restart. */
  readonly isPrevious?: true | undefined;
  readonly lines: readonly Quote[];
  /** The command that shows more of it: `kubectl logs web-7d-x -n shop -c app -p`. */
  readonly command?: string | undefined;
}

/** One for each kind of fact, and for each `why` of those that have one: the keys of docs/problems.md. */
export type ProblemCode = Fact['code'];
