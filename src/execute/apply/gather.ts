import { objectKey } from '../../manifest/resource-id.ts';
import type { Manifest } from '../../manifest/types.ts';
import type { KindWaves } from '../../plan/types.ts';
import type { Run } from '../context.ts';
import { stopped } from '../stopped.ts';
import { applyResources } from './apply.ts';
import { type DeclaredKinds, resolveTargets, type Target } from './targets.ts';

/** Applies the resources of one node, and tells what was applied. */
export type ApplyNode = (manifests: readonly Manifest[]) => Promise<readonly Target[]>;

interface Part {
  readonly manifests: readonly Manifest[];
  readonly resolve: (targets: readonly Target[]) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Applies together what nodes ask for at the same moment, so that kinds keep Helm's order across groups and subcharts
 * that begin together: a Namespace of one is there before another's objects that live in it.
 */
export function gatheredApply(waves: KindWaves, declared: DeclaredKinds, run: Run): ApplyNode {
  let parts: Part[] = [];
  const flush = (): void => {
    const due = parts;
    parts = [];
    void applyParts(due, waves, declared, run);
  };
  return (manifests) =>
    new Promise((resolve, reject) => {
      if (parts.length === 0) setImmediate(flush);
      parts.push({ manifests, resolve, reject });
    });
}

/** Settles every part. A failure belongs to the parts whose objects failed (where none did, to all); others are stopped. */
async function applyParts(parts: readonly Part[], waves: KindWaves, declared: DeclaredKinds, run: Run): Promise<void> {
  const failed = new Set<string>();
  const watched: Run = {
    ...run,
    onEvent: (event) => {
      if (event.kind === 'resource' && event.state === 'failed') failed.add(objectKey(event.id));
      run.onEvent(event);
    },
  };
  const outcome = await settled(() =>
    applyResources(
      parts.flatMap(({ manifests }) => manifests),
      waves,
      declared,
      watched,
    ),
  );
  for (const part of parts) {
    const targets = await settled(() => targetsOf(part, declared, run));
    if ('error' in targets) part.reject('error' in outcome ? outcome.error : targets.error);
    else if (!('error' in outcome)) part.resolve(asWritten(targets.value, outcome.value));
    else part.reject(isAtFault(targets.value, failed) ? outcome.error : stopped);
  }
}

const targetsOf = ({ manifests }: Part, declared: DeclaredKinds, run: Run): Promise<readonly Target[]> =>
  resolveTargets(manifests, { cluster: run.cluster, namespace: run.plan.namespace, signal: run.signal }, declared);

/** Of an object that occurs twice, as it was written last. */
function asWritten(targets: readonly Target[], applied: readonly Target[]): readonly Target[] {
  const written = new Map(applied.map((target) => [objectKey(target.id), target.written]));
  return targets.map((target) => ({ ...target, written: written.get(objectKey(target.id)) }));
}

const isAtFault = (targets: readonly Target[], failed: ReadonlySet<string>): boolean =>
  failed.size === 0 || targets.some(({ id }) => failed.has(objectKey(id)));

async function settled<T>(task: () => Promise<T>): Promise<{ readonly value: T } | { readonly error: unknown }> {
  try {
    return { value: await task() };
  } catch (error) {
    return { error };
  }
}
