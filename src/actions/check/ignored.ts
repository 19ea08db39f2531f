import type { Target } from '../../execute/apply/targets.ts';
import { fieldPlace, objectSubject } from '../../execute/faults.ts';
import { annotations } from '../../manifest/annotations.ts';
import { isOfObject, isSameObject, type Problem, problemOf } from '../../problem/problem.ts';
import { splitOnce } from '../../support/text.ts';

/** A problem that somebody has looked at and leaves as it is. */
export interface IgnoreRule {
  readonly code: string;
  /** `Deployment/web`: only of this object. */
  readonly object?: string | undefined;
  readonly reason: string;
}

export interface Ignored {
  readonly problem: Problem;
  readonly reason: string;
}

/** Takes out what rules of the user, or annotations of the objects, leave as it is. */
export function withoutIgnored(
  problems: readonly Problem[],
  objects: readonly Target[],
  rules: readonly IgnoreRule[],
): { readonly kept: readonly Problem[]; readonly ignored: readonly Ignored[] } {
  const kept: Problem[] = [];
  const ignored: Ignored[] = [];
  for (const problem of problems) {
    const rule = [...rules, ...rulesOf(problem, objects)].find((one) => isMeant(one, problem));
    if (rule === undefined) kept.push(problem);
    else ignored.push({ problem, reason: rule.reason });
  }
  return { kept, ignored };
}

function isMeant({ code, object }: IgnoreRule, problem: Problem): boolean {
  if (code !== problem.code) return false;
  if (object === undefined) return true;
  return isOfObject(problem) && object === `${problem.subject.id.kind}/${problem.subject.id.name}`;
}

/** Those of the annotation of the object that a problem is about, a line each: `code: reason`. */
function rulesOf(problem: Problem, objects: readonly Target[]): readonly IgnoreRule[] {
  if (!isOfObject(problem)) return [];
  const target = objects.find(({ id }) => isSameObject(id, problem.subject.id));
  return linesOf(target).flatMap((line) => ruleOf(line) ?? []);
}

/** Lines of annotations that leave nothing out: they have no reason. */
export const invalidIgnores = (objects: readonly Target[]): readonly Problem[] =>
  objects.flatMap((target) => {
    const subject = objectSubject(target.id, target.source);
    const path = ['metadata', 'annotations', annotations.checkIgnore];
    return linesOf(target)
      .filter((line) => ruleOf(line) === undefined)
      .map((line) =>
        problemOf({
          subject,
          cause: { code: 'ignore-invalid', line },
          places: [fieldPlace(subject, { path, word: line })],
        }),
      );
  });

function linesOf(target: Target | undefined): readonly string[] {
  const text = target?.object.metadata.annotations?.[annotations.checkIgnore];
  if (typeof text !== 'string') return [];
  return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
}

function ruleOf(line: string): IgnoreRule | undefined {
  const [code = '', reason = ''] = splitOnce(line, ':').map((part) => part?.trim());
  return code === '' || reason === '' ? undefined : { code, reason };
}
