import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scenarios } from '../../plan/random/draw.ts';
import { scratchDirectory } from '../support/charts.ts';
import { Player } from './player.ts';

// Charts by chance, deployed, disturbed, resumed, rolled back and taken away by chance. A failure is made smaller, and told
// with its seed and path: CAMPAIGN_SEED=… CAMPAIGN_PATH=… plays it again. By hand for an hour: CAMPAIGN_MINUTES=60.
const directory = scratchDirectory();

const environment = process.env;
const minutes = Number(environment['CAMPAIGN_MINUTES'] ?? 0);
const path = environment['CAMPAIGN_PATH'];
const given = environment['CAMPAIGN_SEED'];
const chance = minutes > 0 ? [Math.floor(Math.random() * 2 ** 30)] : [11, 12, 13];
const seeds = given === undefined ? chance : [Number(given)];
const minuteMs = 60_000;
/** Of a failure, which takes as long as it is made smaller. */
const shrinkMinutes = 10;

test.concurrent.each(seeds)(
  'what is deployed by chance keeps every promise: seed %i',
  async (seed) => {
    let played = 0;
    const details = await fc.check(
      fc.asyncProperty(scenarios, async (scenario) => {
        // fast-check goes on to the neighbours of a path: only what it leads to is played again.
        if (path !== undefined && played > 0) return;
        played += 1;
        const folder = mkdtempSync(join(directory, 'scenario-'));
        const problems = await Player.play(scenario, folder, `random-${process.pid}-${seed}-${played}`);
        if (problems.length > 0) throw new Error(problems.join('\n'));
      }),
      {
        seed,
        // Played again, it is not made smaller once more.
        ...(path === undefined ? {} : { path, endOnFailure: true }),
        numRuns: path !== undefined ? 1 : minutes > 0 ? Number.MAX_SAFE_INTEGER : 4,
        interruptAfterTimeLimit: Math.max(minutes, shrinkMinutes) * minuteMs,
        markInterruptAsFailure: false,
      },
    );
    console.log(`random order: seed ${seed}: ${played} scenarios`);
    expect(details.failed ? `${fc.defaultReportMessage(details)}\n${String(details.errorInstance)}` : '').toBe('');
  },
  (minutes + 2 * shrinkMinutes) * minuteMs,
);
