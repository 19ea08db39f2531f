import type { Target } from '../../execute/apply/targets.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { isSameObject, type ObjectProblem, problemOf } from '../../problem/problem.ts';
import { Quote } from '../../problem/quote.ts';
import type { RefusalFact } from '../../problem/refusal-fact.ts';
import type { Judgement } from '../../sandbox/index.ts';
import type { OwnServer, Stored } from './asked-server.ts';
import { mutatingPolicy } from './other-policies.ts';

/** What ValidatingAdmissionPolicies say of objects, and of the pods that are made of them. What cannot be judged is reported once. */
export function policyProblems(
  targets: readonly Target[],
  own: OwnServer,
  old: ReadonlyMap<Target, Stored>,
): readonly ObjectProblem[] {
  const notJudged = new Set<string>();
  return targets.flatMap((target) =>
    own.judgements(target.object, old.get(target)).flatMap((judgement) => {
      const key = `${judgement.policy} ${judgement.binding}`;
      if (judgement.verdict === 'not-judged' && notJudged.has(key)) return [];
      if (judgement.verdict === 'not-judged') notJudged.add(key);
      return [problemIn(judgement, target)];
    }),
  );
}

/** A policy of another kind, which was to be judged as a ValidatingAdmissionPolicy and cannot be read as one. */
export function notEvaluated({ id, source }: Pick<Target, 'id' | 'source'>): ObjectProblem {
  const name = mutatingPolicy(id.name);
  const own = name === undefined ? id : { ...id, kind: 'MutatingAdmissionPolicy', name };
  const cause = { code: 'policy-not-judged', policy: own.name, why: 'expression' } as const;
  return problemOf({ subject: objectSubject(own, source), cause });
}

function problemIn(judgement: Judgement, { id, source }: Target): ObjectProblem {
  const subject = objectSubject(id, source);
  const places = judgement.paths.map((path) => fieldPlace(subject, { path }));
  return problemOf({ subject, cause: factOf(judgement), places });
}

function factOf({ verdict, policy, binding, words, isOfPods }: Judgement): RefusalFact {
  const mutating = mutatingPolicy(policy);
  if (mutating !== undefined) return { code: 'policy-not-judged', policy: mutating, why: 'mutating', isOfPods };
  const fact = { policy, binding, words: new Quote(words) };
  switch (verdict) {
    case 'denied':
      return { code: 'policy-denied', ...fact, isOfPods };
    case 'warned':
      return { code: 'policy-warned', ...fact, isOfPods };
    case 'not-judged':
      return { code: 'policy-not-judged', ...fact, why: 'expression' };
  }
}

interface LiveAnswers {
  /** The objects of which the cluster has said something. */
  readonly answered: ReadonlySet<Target>;
  /** The policies of the cluster. */
  readonly ofCluster: ReadonlySet<string>;
}

/**
 * What is refused, and what policies say. A cluster that accepts an object says so for its policies too; of one that it
 * refuses, what is judged here has the fields.
 */
export function withPolicies(
  refused: readonly ObjectProblem[],
  judged: readonly ObjectProblem[],
  { answered, ofCluster }: LiveAnswers,
): readonly ObjectProblem[] {
  const isOf = (a: ObjectProblem, b: ObjectProblem): boolean => isSameObject(a.subject.id, b.subject.id);
  const accepted = [...answered].filter(({ id }) => !refused.some(({ subject }) => isSameObject(subject.id, id)));
  const isOverruled = (problem: ObjectProblem): boolean =>
    problem.cause.code === 'policy-denied' &&
    problem.cause.isOfPods !== true &&
    ofCluster.has(problem.cause.policy) &&
    accepted.some(({ id }) => isSameObject(id, problem.subject.id));
  const kept = judged.filter((problem) => !isOverruled(problem));
  const isJudged = (problem: ObjectProblem): boolean =>
    problem.cause.code === 'policy-denied' && kept.some((one) => one.code === 'policy-denied' && isOf(one, problem));
  return [...refused.filter((problem) => !isJudged(problem)), ...kept];
}
