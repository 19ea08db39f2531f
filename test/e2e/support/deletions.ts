import { expect } from 'vitest';
import type { Audit } from './audit.ts';

/** When the deletion of a Deployment was asked for, and when the last of its pods was gone; milliseconds. */
export interface Deletion {
  readonly asked: number;
  readonly gone: number;
}

/**
 * The Deployments that tshelm deleted since the audit began, by name. Their pods have gone by then; the API server may
 * write that down a moment later.
 */
export async function deletions(audit: Audit): Promise<ReadonlyMap<string, Deletion>> {
  let found = await deletionsSoFar(audit);
  await expect
    .poll(async () => [...(found = await deletionsSoFar(audit)).values()].every(({ gone }) => gone > 0), {
      timeout: 10_000,
    })
    .toBe(true);
  return found;
}

async function deletionsSoFar(audit: Audit): Promise<ReadonlyMap<string, Deletion>> {
  const writes = (await audit.writes()).filter(({ verb, code }) => verb === 'delete' && code < 300);
  const asked = writes.filter(({ resource, userAgent }) => resource === 'deployments.apps' && userAgent === 'tshelm');
  return new Map(
    asked.map(({ name, at }) => {
      const pods = writes.filter(
        ({ resource, name: pod, userAgent }) =>
          resource === 'pods' && pod.startsWith(`${name}-`) && userAgent === 'kwok',
      );
      return [name, { asked: at, gone: Math.max(...pods.map(({ answered }) => answered)) }];
    }),
  );
}

/** Whether these Deployments went batch by batch, each with its pods before the next; what is in one batch together. */
export function expectDeleted(deleted: ReadonlyMap<string, Deletion>, batches: readonly (readonly string[])[]): void {
  const lives = batches.map((names) =>
    names.map((name) => deleted.get(name) ?? { asked: Number.NaN, gone: Number.NaN }),
  );
  expect([...deleted.keys()].sort()).toEqual(batches.flat().sort());
  for (const [index, batch] of lives.entries()) {
    const firstGone = Math.min(...batch.map(({ gone }) => gone));
    for (const { asked } of batch) expect(asked).toBeLessThan(firstGone);
    const before = Math.max(...(lives[index - 1] ?? []).map(({ gone }) => gone), 0);
    for (const { asked } of batch) expect(asked).toBeGreaterThan(before);
  }
}
