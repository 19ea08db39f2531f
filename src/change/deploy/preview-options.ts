import { declaredKinds } from '../../execute/apply/targets.ts';
import type { PreviewOptions } from '../../execute/preview/preview.ts';
import { hasObject } from '../../manifest/parse.ts';
import type { Context } from '../context.ts';
import type { Assessed } from '../phases.ts';
import { replaceRulesOf } from './replace-options.ts';

/** How the objects of a change are tried as dry runs: as they will be sent. Whose they are is checked elsewhere. */
export async function previewOptionsOf(
  { action, options, release, execution, crds, manifests, hooks }: Assessed,
  context: Context,
): Promise<PreviewOptions> {
  return {
    cluster: await context.cluster(),
    owner: { release: release.name, namespace: release.namespace },
    applyMethod: release.applyMethod,
    originals: execution?.originals,
    upgradeFieldManager: execution?.upgradeFieldManager,
    forceConflicts: options.forceConflicts,
    takesOver: context.takesOver,
    fieldRules: execution?.fieldRules,
    replaced: execution?.replaced,
    forceReplace: options.forceReplace,
    replaceRules: replaceRulesOf(options, { ...context, isInstall: action === 'install' }),
    takeOwnership: true,
    fieldValidation: options.disableOpenapiValidation ? 'Ignore' : 'Strict',
    declared: declaredKinds([...crds.manifests, ...manifests.filter(hasObject)], hooks),
    concurrency: options.concurrency,
    signal: context.signal,
  };
}
