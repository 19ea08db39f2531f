import { isApiError } from '../cluster/api-error.ts';
import type { FieldPath } from '../manifest/field-path.ts';
import type { KubernetesObject, ResourceId } from '../manifest/types.ts';
import { addedDetail, causesOf, TshelmError } from '../support/errors.ts';
import { withoutWayOut } from './apply/way-out.ts';
import { refusalOf } from './refusals.ts';
import { pathInto, refusedFields } from './refused-fields.ts';
import { type UnfitName, withNames, withoutPatterns } from './unfit-names.ts';
import { choiceFixes, indentFixes, quantityFixes, quantityProblem, typeFixes } from './unfit-values.ts';

/** The template that an object came from. */
export interface ObjectOrigin {
  readonly id: ResourceId;
  /** Its path with charts before it: `shop/templates/web.yaml`; '' where no template made it. */
  readonly file: string;
  /** Its path in the chart's folder: `templates/web.yaml`, of a subchart `charts/db/templates/db.yaml`. */
  readonly path: string;
}

/** What is wrong with one object of a run that failed: the cause, where it is written, and the way out. */
export interface ObjectFault extends ObjectOrigin {
  /** Where its document begins, as far as that is known. */
  readonly line?: number | undefined;
  /** The cause, in one line; undefined where the failure's message alone tells it. */
  readonly problem?: string | undefined;
  /** What was seen of it, where the cause was found elsewhere. */
  readonly symptom?: string | undefined;
  /** What has to be changed, the likely one first. */
  readonly fields?: readonly FaultField[] | undefined;
  /** Ways out, a line each. */
  readonly fixes?: readonly string[] | undefined;
  /** What the program wrote that tells why, the telling line last. */
  readonly log?: readonly string[] | undefined;
  /** What explains it further: warnings of the cluster, the old and the new value of a field that cannot change. */
  readonly facts?: readonly string[] | undefined;
  /** What shows the whole log: `kubectl logs web-7d-x -n shop -c app`. */
  readonly command?: string | undefined;
  /** How the failure's message tells it, in Helm's words. */
  readonly said?: string | undefined;
  /** The run ended before it was decided whether this is one. */
  readonly isUnjudged?: true | undefined;
  /** The API server was only asked: it would refuse this one in the next run. */
  readonly isForeseen?: true | undefined;
}

/** A field of an object, and what made it, as far as that is known. */
export interface FaultField {
  readonly path: FieldPath;
  /** The word in it that is wrong, where it is not the whole. */
  readonly word?: string | undefined;
  /** The text in it that is no name, and what is one. */
  readonly unfit?: UnfitName | undefined;
  /** The object that has it, where that is another one: the ConfigMap that a program reads. */
  readonly of?: ObjectOrigin | undefined;
  /** The template that has the line, where it is not the object's: one with helpers. */
  readonly file?: string | undefined;
  /** The line of the template, and its text. */
  readonly line?: number | undefined;
  readonly written?: string | undefined;
  /** Lines of helpers that this line includes. */
  readonly helpers?: readonly { readonly file: string; readonly line: number; readonly written?: string | undefined }[];
  /** Where the values in that line come from. */
  readonly values?: readonly ValuePlace[] | undefined;
}

/** Where a value is set: in a chart's values.yaml, or by the user. */
export type ValuePlace = {
  readonly name: string;
  /** What it is, where that can be told in a few words and is no secret: `8080`, `"two"`. */
  readonly text?: string | undefined;
} & (
  | {
      readonly file: string;
      readonly line: number;
      /** The user's own file of values, where another one can be set. */
      readonly ownFile?: string | undefined;
    }
  | { readonly keys: readonly string[]; readonly isGiven: true; readonly by?: GivenAt | undefined }
);

/** Where the user gave a value, as far as that is known: a file with its line, or a flag. */
export type GivenAt = { readonly file: string; readonly line: number } | { readonly flag: string };

/** An object that is sent, and its template. */
interface Sent {
  readonly id: ResourceId;
  readonly object: KubernetesObject;
  readonly source?: string | undefined;
}

/** `shop/templates/web.yaml` begins with the chart's name, which its folder need not have. */
export const placeInChart = (file: string): Pick<ObjectFault, 'file' | 'path'> => ({
  file,
  path: file.slice(file.indexOf('/') + 1),
});

/**
 * The same failure, with the fault of the object that it is about and the fields that the API server refused. Where no
 * server refused it (none answered), the message alone says why.
 */
export function withFault(failure: unknown, { id, object, source = '' }: Sent, facts: readonly string[]): unknown {
  if (!(failure instanceof TshelmError)) return failure;
  const refusal = causesOf(failure).find((cause) => isApiError(cause));
  const origin = { id, ...placeInChart(source) };
  const changed = facts.map((fact) => pathInto(object, fact.slice(0, fact.indexOf(': '))));
  const refused = refusal === undefined ? [] : refusedFields(object, refusal.failure);
  const named = withNames(changed.length > 0 ? changed : refused, failure.message, object);
  const fields = withTwice(named, failure.message);
  const wayOut = addedDetail(failure, 'wayOut');
  const problem = withoutWayOut(failure.message, wayOut);
  const worded = wordedRefusal(problem, object, refused);
  const fixes = [...(wayOut === undefined ? [] : [wayOut]), ...worded.fixes];
  const told = { problem: worded.problem, said: failure.message, facts, fixes };
  const fault = { ...origin, ...(refusal !== undefined && told), ...(fields.length > 0 && { fields }) };
  const refusals = refusal === undefined ? {} : { refusals: [refusalOf(id, refusal.failure)] };
  return failure.wrapped({ message: failure.message, details: { objectFaults: [fault], ...refusals } });
}

/** Of a list in which a key stands twice, that key. */
export function withTwice<F extends object>(
  fields: readonly F[],
  message: string,
): readonly (F & { readonly word?: string })[] {
  const key = /: duplicate entries for key \[\w+="([^"]+)"\]/.exec(message)?.[1];
  return key === undefined ? fields : fields.map((field) => ({ ...field, word: key }));
}

/** What the API server refuses of an object, in short, and ways out; `fields` are those that it names. */
export const wordedRefusal = (problem: string, object: KubernetesObject, fields: readonly FieldPath[]) => ({
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
export const joinedFaults = (failures: readonly unknown[]): readonly ObjectFault[] =>
  failures.flatMap((failure) => addedDetail(failure, 'objectFaults') ?? []);

/** Where a fault is to be mended: the line of the first field that is known, or where the object begins; and the value in it. */
export function placeToChange({ fields = [], file, line }: ObjectFault) {
  const field = fields.find(({ line, values = [] }) => line !== undefined || values.length > 0);
  return { file: field?.file ?? field?.of?.file ?? file, line: field?.line ?? line, value: field?.values?.[0] };
}
