import type { ResourceId } from '../manifest/types.ts';
import type { Fact } from './fact.ts';
import { fieldsIn, type Place, type ValuePlace } from './place.ts';
import type { Quote } from './quote.ts';
import type { Remedy } from './remedy.ts';

/** What is wrong, as data: what a person reads of it is made in `words`, what a program reads is this. */
export interface Problem {
  /** Stable, documented and printed: `image-not-found`. */
  readonly code: ProblemCode;
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

/** What a problem is about. */
export type Subject =
  | ObjectSubject
  | { readonly kind: 'template'; readonly file: string }
  | { readonly kind: 'value'; readonly keys: readonly string[] }
  | { readonly kind: 'file'; readonly file: string }
  | { readonly kind: 'release' }
  | { readonly kind: 'cluster' };

/** An object of the release. */
export interface ObjectSubject {
  readonly kind: 'object';
  readonly id: ResourceId;
  /** The template that made it, with the charts before it: `shop/templates/web.yaml`; '' where none did. */
  readonly template: string;
  /** Where its document begins in the template, as far as that is known. */
  readonly line?: number | undefined;
}

/** A problem of one object. */
export type ObjectProblem = Problem & { readonly subject: ObjectSubject };

/** What a problem rests on. */
export interface Evidence {
  /**
   * `log`: what a program wrote, the line that says why last. `event`: warnings of the cluster. `change`: the old and the
   * new content of a field that cannot be changed in place. `message`: how the failure's message says it, and then
   * Helm's words without the cause where these are others.
   */
  readonly kind: 'log' | 'event' | 'change' | 'message';
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

/** A problem with this cause. Default: nothing is known beside it. */
export const problemOf = <P extends Pick<Problem, 'subject' | 'cause'> & Partial<Problem>>(problem: P) => ({
  code: problem.cause.code,
  places: [],
  remedies: [],
  evidence: [],
  ...problem,
});

/** A cycle once for each declaration that is part of it, for what marks lines of files. */
export const perDeclaration = (problem: Problem): readonly Problem[] =>
  problem.code === 'order-cycle' ? problem.places.map((place) => ({ ...problem, places: [place] })) : [problem];

export const isOfObject = (problem: Problem): problem is ObjectProblem => problem.subject.kind === 'object';

/** Whether they are one object; of what is rendered the namespace may not be known yet. */
export const isSameObject = (a: ResourceId, b: ResourceId): boolean =>
  a.kind === b.kind && a.name === b.name && (a.namespace === b.namespace || a.namespace === '' || b.namespace === '');

/** Where a problem is to be solved: the first line that is known, or where the object begins; and the value in it. */
export function placeToChange({ subject, places }: Problem): {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column?: number | undefined;
  readonly value: ValuePlace | undefined;
} {
  const [field] = fieldsIn(places).filter(({ lines, values }) => lines?.[0] !== undefined || values?.[0] !== undefined);
  const value = field?.values?.[0] ?? places.find((place) => place.kind === 'value');
  const own = places.find((place) => place.kind === 'template' || place.kind === 'file');
  const at = field === undefined ? own : field.lines?.[0];
  const { file = field?.template ?? fileOf(subject), line, column } = at ?? {};
  return {
    file,
    line: line ?? (at === undefined && subject.kind === 'object' ? subject.line : undefined),
    column,
    value,
  };
}

const fileOf = (subject: Subject): string | undefined =>
  subject.kind === 'object' ? subject.template : 'file' in subject ? subject.file : undefined;
