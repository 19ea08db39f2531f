import type { Context } from './context.ts';
import { givenUpJobs } from './deploy/given-up-jobs.ts';
import { checkNeeds } from './deploy/needs-check.ts';
import { preflight } from './deploy/preflight.ts';
import { checkChange, checkResources } from './deploy/resource-check.ts';
import { explainedFailure } from './explained-failure.ts';
import type { Assessed, Checked } from './phases.ts';

/**
 * Every kind is served, nothing belongs to somebody else, and the record can be stored, before anything is recorded or sent.
 * A rollback takes its own resources back whoever has them now; an uninstall and a test look at each object when its turn comes.
 * Errors: `no-matches-for-kind`, `ownership-conflict`, `ownership-unknown`, `release-too-large`, `needs-unreadable`, `preflight-refused`.
 */
export async function check(weighed: Assessed, context: Context): Promise<Checked> {
  try {
    return await checkedFully(weighed, context);
  } catch (error) {
    throw await explainedFailure(error, weighed, context);
  }
}

async function checkedFully(weighed: Assessed, context: Context): Promise<Checked> {
  // The record is packed by other threads while the server answers.
  const fitting = weighed.lastPhase === 'finished' ? checkRecordSize(weighed, context) : Promise.resolve();
  // It is awaited below; a failure before that must not count as unhandled.
  fitting.catch(() => {});
  const checked = await compared(weighed, context);
  await fitting;
  await checkNeeds(checked, context);
  if (checked.lastPhase !== 'checked') await preflight(checked, context);
  return checked;
}

async function checkRecordSize({ action, recordedAs, release }: Assessed, context: Context): Promise<void> {
  if (action !== 'uninstall' && recordedAs !== undefined) await (await context.storage()).checkSize(release);
}

async function compared(weighed: Assessed, context: Context): Promise<Checked> {
  const { action, release, replaced } = weighed;
  const { applyMethod } = release;
  const withFacts = (facts: Checked['execution'], absent: Checked['absent'] = new Set()): Checked => ({
    ...weighed,
    execution: { ...weighed.execution, ...facts },
    absent,
  });
  if (action === 'uninstall' || action === 'fix' || action === 'test') return withFacts({});
  if (replaced === undefined) {
    const { absent, ...found } = await checkResources(weighed, context);
    return withFacts({ ...found, applyMethod, upgradeFieldManager: found.existing.size > 0 }, absent);
  }
  const { absent, ...found } = await checkChange(weighed, replaced, context);
  const facts = {
    ...found,
    followsUnfinished: replaced.info.status !== 'deployed' && replaced.info.status !== 'superseded',
    givenUpJobs: await givenUpJobs(weighed.history, release.namespace, context),
    applyMethod,
    upgradeFieldManager: replaced.applyMethod !== 'ssa' && applyMethod === 'ssa',
  };
  return withFacts(facts, absent);
}
