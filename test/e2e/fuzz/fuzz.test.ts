import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { drawFrom, drawn } from '../../support/mutations.ts';
import { scratchDirectory } from '../support/charts.ts';
import { helm, type Program, type Ran, tshelmProcess } from '../support/programs.ts';
import { draws, type Input } from './inputs.ts';

// Broken and oversized input of every kind, given to Helm and to tshelm: an error in words, and no more than ten times
// Helm's time. By hand for an hour: FUZZ_MINUTES=60. A failure names the seed that draws its input again (FUZZ_SEED=…).
const minutes = Number(process.env['FUZZ_MINUTES'] ?? 0);
const given = process.env['FUZZ_SEED'];
const directory = scratchDirectory();
const minuteMs = 60_000;
const casesInCi = 24;

/** Slower than this, and than ten times Helm, is a defect; measured again, because others use the machine too. */
const slowMs = 2000;
const slowRatio = 10;

let answer = '{}';
const api = createServer((_request, response) => response.setHeader('Content-Type', 'application/json').end(answer));

beforeAll(() => new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve)));
afterAll(() => void api.close());

test(
  'broken input ends in words, and in time',
  async () => {
    const first = given === undefined ? (minutes > 0 ? Math.floor(Math.random() * 2 ** 30) : 1) : Number(given);
    const endMs = performance.now() + minutes * minuteMs;
    const isOver = (done: number): boolean =>
      given !== undefined ? done > 0 : minutes > 0 ? performance.now() > endMs : done >= casesInCi;
    const failures: string[] = [];
    let done = 0;
    for (; !isOver(done) && failures.length < 20; done++) failures.push(...(await problemsOf(first + done)));
    console.log(`fuzz: ${done} inputs from seed ${first}`);
    expect(failures).toEqual([]);
  },
  (minutes + 5) * minuteMs,
);

async function problemsOf(seed: number): Promise<readonly string[]> {
  const input = draws[seed % draws.length]?.(seed) as Input;
  const folder = join(directory, `case-${seed}`);
  for (const [name, data] of Object.entries(input.files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), data);
  }
  answer = input.answer ?? '{}';
  const words = input.words.map((word) =>
    word.replace('FOLDER', folder).replace('API', `http://127.0.0.1:${(api.address() as AddressInfo).port}`),
  );
  const env = {
    HELM_REPOSITORY_CONFIG: join(folder, 'repositories.yaml'),
    HELM_REPOSITORY_CACHE: folder,
    HOME: folder,
  };
  const timed = async (program: Program): Promise<Ran & { readonly ms: number }> => {
    const startedMs = performance.now();
    const ran = await program.run(words, { env });
    return { ...ran, ms: performance.now() - startedMs };
  };
  const ours = await timed(tshelmProcess);
  const about = `seed ${seed}: ${input.words.join(' ').slice(0, 200)}`;
  const found: string[] = [];
  if (ours.code !== 0 && ours.code !== 1) found.push(`${about}: exit code ${ours.code}`);
  if (/\b(?:TypeError|RangeError|ReferenceError|internal: |Maximum call stack)/.test(ours.stderr))
    found.push(`${about}: ${ours.stderr.slice(0, 400)}`);
  if (ours.ms > slowMs) {
    const again = Math.min(ours.ms, (await timed(tshelmProcess)).ms);
    const theirs = Math.min((await timed(helm)).ms, (await timed(helm)).ms);
    if (again > slowMs && again > slowRatio * theirs) found.push(`${about}: ${again} ms, Helm ${theirs} ms`);
  }
  return found;
}

test('drawn inputs are the same for the same seed', () => {
  expect([...drawFrom('abc', 3, 5)]).toEqual([...drawFrom('abc', 3, 5)]);
  expect(drawn(7)(100)).toBe(drawn(7)(100));
});
