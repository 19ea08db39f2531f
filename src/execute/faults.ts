import { isApiError } from '../cluster/api-error.ts';
import type { ApiFailure } from '../cluster/types.ts';
import type { FieldPath } from '../manifest/field-path.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import type { FieldPlace } from '../problem/place.ts';
import { type Evidence, type ObjectSubject, type Problem, problemOf } from '../problem/problem.ts';
import { Quote } from '../problem/quote.ts';
import type { Remedy } from '../problem/remedy.ts';
import { addedDetail, causesOf, TshelmError } from '../support/errors.ts';
import { withoutWayOut } from './apply/way-out.ts';
import { refusalOf } from './refusals.ts';
import { pathInto, refusedFields } from './refused-fields.ts';
import { withNames, withoutPatterns } from './unfit-names.ts';
import { choiceFixes, indentFixes, quantityFixes, quantityProblem, typeFixes } from './unfit-values.ts';

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

/** Ways out that are sentences still. */
export const sentences = (texts: readonly string[]): readonly Remedy[] =>
  texts.map((text) => ({ kind: 'sentence', text }));

/** Texts of others as evidence; none where there are none. */
export const evidenceOf = (kind: Evidence['kind'], texts: readonly string[]): readonly Evidence[] =>
  texts.length === 0 ? [] : [{ kind, lines: texts.map((text) => new Quote(text)) }];

/**
 * The same failure, with the problem of the object that it is about and the fields that the API server refused. Where no
 * server refused it (none answered), the message alone says why.
 */
export function withProblem(failure: unknown, { id, object, source }: Sent, changes: readonly string[]): unknown {
  if (!(failure instanceof TshelmError)) return failure;
  const refusal = causesOf(failure).find((cause) => isApiError(cause))?.failure;
  const subject = objectSubject(id, source);
  if (refusal === undefined)
    return failure.wrapped({
      message: failure.message,
      details: { problems: [problemOf({ subject, cause: { code: 'not-sent' } })] },
    });
  const changed = changes.map((change) => pathInto(object, change.slice(0, change.indexOf(': '))));
  const fields = refusedFields(object, refusal);
  const problem = refusalProblem({
    subject,
    object,
    refusal,
    fields,
    changed,
    message: failure.message,
    wayOut: addedDetail(failure, 'wayOut'),
  });
  const evidence = [...evidenceOf('message', [failure.message]), ...evidenceOf('change', changes)];
  return failure.wrapped({
    message: failure.message,
    details: { problems: [{ ...problem, evidence }], refusals: [refusalOf(id, refusal)] },
  });
}

/** What is known of a refused object. */
export interface RefusedObject {
  readonly subject: ObjectSubject;
  readonly object: KubernetesObject;
  readonly refusal: ApiFailure;
  /** The fields that the refusal names. */
  readonly fields: readonly FieldPath[];
  /** Of fields that cannot be changed in place the parts that would change. */
  readonly changed?: readonly FieldPath[] | undefined;
  readonly message: string;
  readonly wayOut: string | undefined;
}

/** A refusal of the API server as a problem of the object. */
export function refusalProblem({ subject, object, refusal, fields, changed = [], message, wayOut }: RefusedObject) {
  const named = withNames(changed.length > 0 ? changed : fields, message, object);
  const places = withTwice(named, message);
  const worded = wordedRefusal(withoutWayOut(message, wayOut), object, fields);
  const origin = { id: subject.id, template: subject.template };
  return problemOf({
    subject,
    cause: {
      code: 'refused',
      status: refusal.status,
      reason: refusal.reason,
      words: new Quote(worded.problem),
    },
    places: places.map(({ path, word }) => fieldPlace(origin, { path, word })),
    remedies: [
      ...named.flatMap((name) => nameRemedy(name, subject.id)),
      ...sentences([...(wayOut === undefined ? [] : [wayOut]), ...worded.fixes]),
    ],
  });
}

function nameRemedy({ path, unfit }: ReturnType<typeof withNames>[number], object: ResourceId): readonly Remedy[] {
  if (unfit?.meant === undefined || object.kind === 'Secret') return [];
  return [{ kind: 'change-field', object, path, instead: unfit.value, value: unfit.meant }];
}

/** Of a list in which a key stands twice, that key. */
function withTwice<F extends object>(
  fields: readonly F[],
  message: string,
): readonly (F & { readonly word?: string })[] {
  const key = /: duplicate entries for key \[\w+="([^"]+)"\]/.exec(message)?.[1];
  return key === undefined ? fields : fields.map((field) => ({ ...field, word: key }));
}

/** What the API server refuses of an object, in short, and ways out; `fields` are those that it names. */
const wordedRefusal = (problem: string, object: KubernetesObject, fields: readonly FieldPath[]) => ({
  problem: quantityProblem(problem, object, fields) ?? shortProblem(problem),
  fixes: [
    ...typeFixes(problem, object),
    ...choiceFixes(problem),
    ...indentFixes(problem, object),
    ...quantityFixes(problem, object, fields),
  ],
});

/** A refusal without the words that name the object once more. */
const shortProblem = (problem: string): string =>
  withoutPatterns(problem)
    .replace(/^failed to create resource: /, '')
    .replace(/^server-side apply failed for object \S+ \S+, Kind=\w+: /, '')
    .replace(/^failed to create typed patch object \([^)]*\): /, '')
    .replace(/^\S+ "[^"]*" is invalid: /, '')
    .replace(/^\.(?=\w)/, '');

/** Those of all failures. */
export const joinedProblems = (failures: readonly unknown[]): readonly Problem[] =>
  failures.flatMap((failure) => addedDetail(failure, 'problems') ?? []);
