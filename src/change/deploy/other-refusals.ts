import { refusalIn } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { type PreviewOptions, previewApply } from '../../execute/preview/preview.ts';
import { hasObject } from '../../manifest/parse.ts';
import { idOf, kindAndName } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { fieldsIn } from '../../problem/place.ts';
import { isOfObject, type ObjectProblem, type Problem } from '../../problem/problem.ts';
import { firstSignal } from '../../support/abort.ts';
import { addedDetail, hasCode, TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Assessed } from '../phases.ts';
import { foreseenProblems, type RefusedPreview } from './foreseen-problem.ts';
import { mayBeAcceptedLater, plannedAdditions } from './planned-additions.ts';
import { triesAllFirst } from './preflight.ts';
import { previewOptionsOf } from './preview-options.ts';

/** A failure is to be told soon, and each try passes the cluster's admission webhooks: a few at a time, and for a moment. */
const mostTried = 20;
const triedTogether = 4;
const triedForMs = 2_000;

/**
 * The failure of objects that the server or Helm's checks refuse, with all else that is wrong in the release, so that nobody
 * mends it one run at a time: what the server would refuse of other objects too, by server-side dry runs of what was not
 * sent, and what more is known to be wrong with objects that it does not accept. Any other failure comes back as it is. What
 * goes into a namespace that is not there yet is not tried.
 */
export async function withOtherRefusals(
  failure: unknown,
  weighed: Assessed,
  context: Context,
  sent: readonly ResourceId[] = [],
): Promise<unknown> {
  if (!(failure instanceof TshelmError) || !isRefusal(failure) || context.signal?.aborted) return failure;
  const known = addedDetail(failure, 'problems') ?? [];
  const wereTried =
    hasCode(failure, 'preflight-refused') || (triesAllFirst(weighed, context) && hasCode(failure, 'apply-failed'));
  const tried = wereTried ? undefined : await triedOthers([...objectsOf(known), ...sent], weighed, context);
  const refused = [...known, ...(tried?.problems ?? [])];
  const isAccepted = wereTried
    ? (id: ResourceId) => !objectsOf(refused).some((one) => kindAndName(one) === kindAndName(id))
    : (id: ResourceId) => [...sent, ...(tried?.accepted ?? [])].some((one) => kindAndName(one) === kindAndName(id));
  const more = (await furtherFaults(refused, weighed, context)).filter(({ subject }) => !isAccepted(subject.id));
  if (refused.length + more.length === known.length) return failure;
  const foreseen = [...(tried?.problems ?? []), ...more].map((one) => ({ ...one, state: 'foreseen' as const }));
  return failure.wrapped({ message: failure.message, details: { problems: [...known, ...foreseen] } });
}

const objectsOf = (problems: readonly Problem[]): readonly ResourceId[] =>
  problems.filter(isOfObject).map(({ subject }) => subject.id);

/** What the server says of the objects that it was not asked about; undefined where it does not say so in time. */
async function triedOthers(known: readonly ResourceId[], weighed: Assessed, context: Context) {
  const names = new Set(known.map(kindAndName));
  const untried = weighed.manifests.filter(
    (manifest) =>
      hasObject(manifest) && manifest.malformed === undefined && !names.has(kindAndName(idOf(manifest.object))),
  );
  try {
    const previews = await previewApply(untried.slice(0, mostTried), await previewOptions(weighed, context));
    const coming = plannedAdditions(weighed.plan, previews);
    const refused = previews.filter(
      (preview): preview is RefusedPreview =>
        preview.problem !== undefined && preview.refusal !== undefined && !mayBeAcceptedLater(preview, coming),
    );
    return {
      problems: refused.flatMap((preview) => foreseenProblems(preview, weighed.manifests)),
      accepted: previews.filter((preview) => !refused.some((one) => one === preview)).map(({ id }) => id),
    };
  } catch {
    // What failed is told in any case.
    return undefined;
  }
}

/** What is known to be wrong with objects beside what the server has named. */
export async function furtherFaults(
  known: readonly Problem[],
  { manifests, namespace }: Pick<Assessed, 'manifests' | 'namespace'>,
  { faultsOf }: Context,
): Promise<readonly ObjectProblem[]> {
  const keys = new Set(known.filter(isOfObject).map(keyOf));
  try {
    const found = (await faultsOf?.(manifests.filter(hasObject), namespace)) ?? [];
    return found.filter((problem) => !keys.has(keyOf(problem)));
  } catch {
    // What failed is told in any case.
    return [];
  }
}

const keyOf = ({ subject, code, places }: ObjectProblem): string =>
  [kindAndName(subject.id), code, ...fieldsIn(places).map(({ path }) => path.join('.'))].join('\n');

const isRefusal = (failure: TshelmError): boolean =>
  hasCode(failure, 'malformed-object', 'no-matches-for-kind', 'apply-conflict', 'preflight-refused') ||
  (hasCode(failure, 'apply-failed') && isInvalidObject(refusalIn(failure)));

/** Whether an object is wrong by itself: invalid, or not of its kind's schema. */
const isInvalidObject = (refusal: ApiFailure | undefined): boolean =>
  refusal?.status === 422 || refusal?.status === 400 || (refusal?.status === 500 && refusal.reason === 'Unknown');

async function previewOptions(weighed: Assessed, context: Context): Promise<PreviewOptions> {
  const options = await previewOptionsOf(weighed, context);
  const concurrency = Math.min(options.concurrency ?? triedTogether, triedTogether);
  return { ...options, concurrency, signal: firstSignal(AbortSignal.timeout(triedForMs), context.signal) };
}
