import { refusalIn } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { type PreviewOptions, previewApply } from '../../execute/preview/preview.ts';
import { hasObject } from '../../manifest/parse.ts';
import { idOf } from '../../manifest/resource-id.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { isOfObject } from '../../problem/problem.ts';
import { addedDetail, hasCode, TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Assessed } from '../phases.ts';
import { foreseenProblems, nameOf, type RefusedPreview } from './foreseen-problem.ts';
import { mayBeAcceptedLater, plannedAdditions } from './planned-additions.ts';
import { triesAllFirst } from './preflight.ts';
import { previewOptionsOf } from './preview-options.ts';

/** A failure is to be told soon, and each try passes the cluster's admission webhooks: a few at a time, and for a moment. */
const mostTried = 20;
const triedTogether = 4;
const triedForMs = 2_000;

/**
 * The failure of an object that the server or Helm's checks refuse, with all others of the release that the server would
 * refuse as well, so that nobody mends them one run at a time: server-side dry runs of what was not sent. Any other
 * failure comes back as it is, as does one whose others cannot be asked about in time, or were tried before. What goes into
 * a namespace that is not there yet is not tried.
 */
export async function withOtherRefusals(
  failure: unknown,
  weighed: Assessed,
  context: Context,
  sent: readonly ResourceId[] = [],
): Promise<unknown> {
  if (!(failure instanceof TshelmError) || !isRefusal(failure) || context.signal?.aborted) return failure;
  if (triesAllFirst(weighed) && hasCode(failure, 'apply-failed')) return failure;
  const known = new Set(
    [...(addedDetail(failure, 'problems') ?? []).filter(isOfObject).map(({ subject }) => subject.id), ...sent].map(
      nameOf,
    ),
  );
  const untried = weighed.manifests.filter(
    (manifest) => hasObject(manifest) && manifest.malformed === undefined && !known.has(nameOf(idOf(manifest.object))),
  );
  try {
    const previews = await previewApply(untried.slice(0, mostTried), await previewOptions(weighed, context));
    const coming = plannedAdditions(weighed.plan, previews);
    const refused = previews.filter(
      (preview): preview is RefusedPreview =>
        preview.problem !== undefined && preview.refusal !== undefined && !mayBeAcceptedLater(preview, coming),
    );
    if (refused.length === 0) return failure;
    const foreseen = refused
      .flatMap((preview) => foreseenProblems(preview, weighed.manifests))
      .map((problem) => ({ ...problem, state: 'foreseen' as const }));
    const problems = [...(addedDetail(failure, 'problems') ?? []), ...foreseen];
    return failure.wrapped({ message: failure.message, details: { problems } });
  } catch {
    // What failed is told in any case.
    return failure;
  }
}

const isRefusal = (failure: TshelmError): boolean =>
  hasCode(failure, 'malformed-object', 'no-matches-for-kind', 'apply-conflict') ||
  (hasCode(failure, 'apply-failed') && isInvalidObject(refusalIn(failure)));

/** Whether an object is wrong by itself: invalid, or not of its kind's schema. */
const isInvalidObject = (refusal: ApiFailure | undefined): boolean =>
  refusal?.status === 422 || refusal?.status === 400 || (refusal?.status === 500 && refusal.reason === 'Unknown');

async function previewOptions(weighed: Assessed, context: Context): Promise<PreviewOptions> {
  const options = await previewOptionsOf(weighed, context);
  const signals = [AbortSignal.timeout(triedForMs), ...(context.signal === undefined ? [] : [context.signal])];
  const concurrency = Math.min(options.concurrency ?? triedTogether, triedTogether);
  return { ...options, concurrency, signal: AbortSignal.any(signals) };
}
