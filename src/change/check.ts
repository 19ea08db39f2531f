import type { Context } from './context.ts';
import { givenUpJobs } from './deploy/given-up-jobs.ts';
import { preflight } from './deploy/preflight.ts';
import { checkChange, checkResources } from './deploy/resource-check.ts';
import type { Checked, Weighed } from './phases.ts';

/**
 * Every kind is served, and nothing belongs to somebody else, before anything is recorded or sent. A rollback takes its own
 * resources back whoever has them now; an uninstall and a test look at each object when its turn comes.
 * Errors: `no-matches-for-kind`, `ownership-conflict`, `ownership-unknown`, `preflight-refused`.
 */
export async function check(weighed: Weighed, context: Context): Promise<Checked> {
  const checked = await compared(weighed, context);
  if (checked.until === 'told') await preflight(checked, context);
  return checked;
}

async function compared(weighed: Weighed, context: Context): Promise<Checked> {
  const { action, release, replaced } = weighed;
  const { applyMethod } = release;
  const withFacts = (facts: Checked['execution']): Checked => ({
    ...weighed,
    execution: { ...weighed.execution, ...facts },
  });
  if (action === 'uninstall' || action === 'test') return withFacts({});
  if (replaced === undefined) {
    const found = await checkResources(weighed, context);
    return withFacts({ ...found, applyMethod, upgradeFieldManager: found.existing.size > 0 });
  }
  const found = await checkChange(weighed, replaced, context);
  return withFacts({
    ...found,
    givenUpJobs: await givenUpJobs(weighed.history, release.namespace, context),
    applyMethod,
    upgradeFieldManager: replaced.applyMethod !== 'ssa' && applyMethod === 'ssa',
  });
}
