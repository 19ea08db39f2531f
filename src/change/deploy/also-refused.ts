import { isApiError } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import { declaredKinds } from '../../execute/apply/targets.ts';
import { type Preview, previewApply } from '../../execute/preview/preview.ts';
import { refusedFields } from '../../execute/refused-fields.ts';
import { hasObject } from '../../manifest/parse.ts';
import type { ResourceId } from '../../manifest/types.ts';
import { addedDetail, causesOf, hasCode, TshelmError } from '../../support/errors.ts';
import type { Context } from '../context.ts';
import type { Weighed } from '../phases.ts';
import { comingWith, mayComeYet } from './coming.ts';
import { idOf, nameOf, refusedFault } from './refused-fault.ts';

/** More are not tried: a failure is to be told soon, and each try passes the cluster's admission webhooks. */
const mostTried = 20;

/**
 * The failure of an object that the server or Helm's checks refuse, with all others of the release that the server would
 * refuse as well, so that nobody mends them one run at a time: server-side dry runs of what was not sent. Any other
 * failure comes back as it is, as does one whose others cannot be asked about.
 */
export async function withAlsoRefused(
  failure: unknown,
  weighed: Weighed,
  context: Context,
  sent: readonly ResourceId[] = [],
): Promise<unknown> {
  if (!(failure instanceof TshelmError) || !isRefusal(failure) || context.signal?.aborted) return failure;
  const known = new Set([...(addedDetail(failure, 'objectFaults') ?? []).map(({ id }) => id), ...sent].map(nameOf));
  const untried = weighed.manifests.filter(
    (manifest) => hasObject(manifest) && manifest.malformed === undefined && !known.has(nameOf(idOf(manifest))),
  );
  try {
    const previews = await previewApply(untried.slice(0, mostTried), await previewOptions(weighed, context));
    const tried = await Promise.all(previews.map((preview) => withoutNamespace(preview, context)));
    const coming = comingWith(weighed.plan, previews);
    const refused = tried.filter(
      (preview) => preview.problem !== undefined && preview.refusal !== undefined && !mayComeYet(preview, coming),
    );
    if (refused.length === 0) return failure;
    const foreseen = refused.map((preview) => ({
      ...refusedFault(preview, weighed.manifests),
      isForeseen: true as const,
    }));
    const objectFaults = [...(addedDetail(failure, 'objectFaults') ?? []), ...foreseen];
    return failure.wrapped({ message: failure.message, details: { objectFaults } });
  } catch {
    // What failed is told in any case.
    return failure;
  }
}

const isRefusal = (failure: TshelmError): boolean =>
  hasCode(failure, 'malformed-object', 'no-matches-for-kind') ||
  (hasCode(failure, 'apply-failed') && causesOf(failure).some((cause) => isApiError(cause) && isWrong(cause.failure)));

/** Whether an object is wrong by itself: invalid, or not of its kind's schema. */
const isWrong = ({ status, reason }: ApiFailure): boolean =>
  status === 422 || status === 400 || (status === 500 && reason === 'Unknown');

async function previewOptions({ options, release, execution, crds, manifests, hooks }: Weighed, context: Context) {
  return {
    cluster: await context.cluster(),
    owner: { release: release.name, namespace: release.namespace },
    applyMethod: release.applyMethod,
    originals: execution?.originals,
    forceConflicts: options.forceConflicts,
    // Whose they are is another question.
    takeOwnership: true,
    fieldValidation: options.disableOpenapiValidation ? ('Ignore' as const) : ('Strict' as const),
    declared: declaredKinds([...crds.manifests, ...manifests.filter(hasObject)], hooks),
    concurrency: options.concurrency,
    signal: context.signal,
  };
}

/** What goes into a namespace that is not there yet is tried as a new object of a namespace that always is. */
async function withoutNamespace(preview: Preview, context: Context): Promise<Preview> {
  const { id, result, problem = '' } = preview;
  if (!problem.includes(`namespaces "${id.namespace}" not found`)) return preview;
  const object = { ...result, metadata: { ...result.metadata, namespace: 'default' } };
  const cluster = await context.cluster();
  const options = { dryRun: true, fieldManager: 'helm', fieldValidation: 'Strict', signal: context.signal } as const;
  return cluster.create(object, options).then(
    () => preview,
    (error: unknown) =>
      isApiError(error) && isWrong(error.failure)
        ? { ...preview, problem: error.message, fields: refusedFields(result, error.failure) }
        : preview,
  );
}
