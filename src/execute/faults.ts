import { refusalIn } from '../cluster/api-error.ts';
import type { ApiFailure } from '../cluster/types.ts';
import type { FieldPath } from '../manifest/field-path.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { FieldPlace } from '../problem/place.ts';
import { type Evidence, type ObjectProblem, type ObjectSubject, type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import { refusalRemedies } from '../problem/refusal-fact.ts';
import type { Remedy } from '../problem/remedy.ts';
import { addedDetail, TshelmError } from '../support/errors.ts';
import type { SecretWords } from '../support/secret-words.ts';
import { changeLines, forcingFields } from './apply/immutable-fields.ts';
import { remediesFor } from './apply/refused-changes.ts';
import type { ExecutionContext } from './context.ts';
import { refusalOf } from './refusals.ts';
import { pathInto, type RefusedPart, refusedParts } from './refused-fields.ts';

/** The template that an object came from. */
export interface ObjectOrigin {
  readonly id: ResourceId;
  /** Its path with charts before it: `shop/templates/web.yaml`; '' where no template made it. */
  readonly template: string;
}

/** An object that is sent, and its template. */
interface Sent {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
  readonly source?: string | undefined;
}

/** An object as what a problem is about. */
export const objectSubject = (id: ResourceId, template = ''): ObjectSubject => ({ kind: 'object', id, template });

/** A field of an object as a place. */
export const fieldPlace = (
  { id, template }: ObjectOrigin,
  field: { readonly path: FieldPath; readonly word?: string | undefined },
): FieldPlace => ({ kind: 'field', object: id, template, ...field });

/** Texts of others as evidence; none where there are none. */
export const evidenceOf = (kind: Evidence['kind'], texts: readonly string[]): readonly Evidence[] =>
  texts.length === 0 ? [] : [{ kind, lines: texts.map((text) => new Quote(text)) }];

/**
 * The same failure, with what the API server refused of the object that it is about. `live`: the object in the cluster,
 * where fields cannot be changed in place. Where no server refused it (none answered), the message alone says why.
 */
export function withProblems(
  failure: unknown,
  { id, object, source }: Sent,
  {
    live,
    words,
    context,
  }: {
    readonly live: KubernetesObject | undefined;
    readonly words: SecretWords;
    readonly context: ExecutionContext;
  },
): unknown {
  if (!(failure instanceof TshelmError)) return failure;
  const { message } = failure;
  const refusal = refusalIn(failure);
  const subject = objectSubject(id, source);
  if (refusal === undefined)
    return failure.wrapped({ message, details: { problems: [problemOf({ subject, cause: { code: 'not-sent' } })] } });
  const ways = remediesFor(id, refusal, context);
  const changes = live === undefined ? [] : changeLines({ id, live, object }, refusal, words);
  const problems = refusalProblems({ subject, object, refusal, ways, live }).map((problem) => ({
    ...problem,
    evidence: [
      ...evidenceOf('message', [message]),
      ...(problem.code === 'field-immutable' ? evidenceOf('change', changes) : []),
      ...problem.evidence,
    ],
  }));
  return failure.wrapped({ message, details: { problems, refusals: [refusalOf(id, refusal)] } });
}

/** An object that the API server refuses, or would refuse. */
export interface RefusedObject {
  readonly subject: ObjectSubject;
  readonly object: KubernetesObject;
  readonly refusal: ApiFailure;
  /** As it was before anything of it was mended. */
  readonly written?: KubernetesObject | undefined;
  /** What helps in this run: refused-changes.ts. */
  readonly ways?: readonly Remedy[] | undefined;
  /** As it is in the cluster: it says which parts of a field cannot be changed in place. */
  readonly live?: KubernetesObject | undefined;
}

/** What the API server refuses of an object: a problem for each fact, with the fields that it is about. */
export const refusalProblems = (refused: RefusedObject): readonly ObjectProblem[] =>
  refusedParts(refused.object, refused.refusal).map((part) => partProblem(part, refused));

function partProblem({ fact, paths }: RefusedPart, refused: RefusedObject): ObjectProblem {
  const { subject, object, written = object, ways = [] } = refused;
  const isOfRun = ['conflict', 'field-immutable', 'namespace-missing'].includes(fact.code);
  const changed = fact.code === 'field-immutable' ? changedPaths(refused) : [];
  const word = fact.code === 'field-duplicate' ? fact.key : undefined;
  const [path = []] = paths;
  return problemOf({
    subject,
    cause: fact.code === 'field-immutable' && changed.length > 0 ? { ...fact, fields: changed } : fact,
    places: (changed.length > 0 ? changed.map((one) => pathInto(object, one)) : paths).map((one) =>
      fieldPlace(subject, { path: one, word }),
    ),
    remedies: [...(isOfRun ? ways : []), ...refusalRemedies(fact, { id: subject.id, object: written, path })],
  });
}

/** With more of them, the field that the server names says more. */
const mostChanged = 5;

function changedPaths({ subject: { id }, object, live, refusal }: RefusedObject): readonly string[] {
  const fields = live === undefined ? [] : forcingFields({ id, live, object }, refusal);
  return fields.length > mostChanged ? [] : fields;
}

/** Those of all failures. */
export const joinedProblems = (failures: readonly unknown[]): readonly Problem[] =>
  failures.flatMap((failure) => addedDetail(failure, 'problems') ?? []);
