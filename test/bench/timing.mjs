import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Milliseconds that a command takes as a whole process; a failing command ends the benchmark. */
export const timeOnce = (command) => measureOnce(command).elapsedMs;

/** The same, and the milliseconds of processor time that it took, as Linux counts them: of a busy machine they say more. */
export function measureOnce({ command, args = [], env = {}, input }) {
  const cpuBefore = childrenCpuMs();
  const started = process.hrtime.bigint();
  const result = spawnSync(command, args, { env: { ...process.env, ...env }, input, maxBuffer: 1 << 28 });
  const elapsedMs = Number(process.hrtime.bigint() - started) / 1e6;
  if (result.error) throw result.error;
  if (result.status !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${result.status}:\n${result.stderr}`);
  return { elapsedMs, cpuMs: childrenCpuMs() - cpuBefore };
}

/** User and system time of all ended children (proc(5), cutime and cstime, in hundredths of a second); NaN elsewhere. */
function childrenCpuMs() {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Runs the commands in turns, so that a noisy machine disturbs all alike: one list of times for each, sorted. */
export function takeTurns(commands, runs) {
  const times = commands.map(() => []);
  for (let run = 0; run < runs + 1; run++) {
    commands.forEach((command, index) => {
      command.before?.();
      const elapsedMs = timeOnce(command);
      if (run > 0) times[index].push(elapsedMs); // the first round warms the caches
    });
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

export const median = (sorted) => sorted[Math.floor(sorted.length / 2)];

/** What takes part in a round, with its place in the list; every second round goes the other way round. */
export function inTurns(list, round) {
  const entries = [...list.entries()];
  return round % 2 === 0 ? entries : entries.reverse();
}

export const sorted = (times) => [...times].sort((a, b) => a - b);

export const printGoal = (title, ratio, goal) =>
  console.log(
    `  ${title.padEnd(32)} ${ratio.toFixed(2)} ×, at most ${goal.toFixed(2)}: ${ratio <= goal ? 'yes' : 'NO'}`,
  );

/** A table: each row's minimum and median, and its median as a ratio to the reference's. */
export function printTable(title, rows) {
  console.log(`\n${title}`);
  const width = Math.max(...rows.map((row) => row.name.length));
  const reference = median(rows[0].times);
  for (const { name, times } of rows) {
    const ratio = median(times) / reference;
    console.log(
      `  ${name.padEnd(width)}  min ${times[0].toFixed(1).padStart(8)} ms  median ${median(times).toFixed(1).padStart(8)} ms  ${ratio.toFixed(2).padStart(6)} ×`,
    );
  }
}

export function compare(title, commands, runs) {
  const times = takeTurns(commands, runs);
  printTable(
    title,
    commands.map((command, index) => ({ name: command.name, times: times[index] })),
  );
}

const samplingMs = 10;

/** The most memory that a command held at once, in MB: what Linux says of it as long as it runs. */
export async function peakMemory({ command, args = [], env = {} }) {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  let peakMb = 0;
  const look = () => {
    try {
      const [, kilobytes] = /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? [];
      peakMb = Math.max(peakMb, Number(kilobytes ?? 0) / 1024);
    } catch {
      // It has ended.
    }
  };
  const timer = setInterval(look, samplingMs);
  const code = await new Promise((done, fail) => child.once('error', fail).once('close', done));
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
  return peakMb;
}

/** A table of peaks, with ratios to the first. Elsewhere than on Linux it says that it is left out. */
export async function compareMemory(title, commands) {
  if (process.platform !== 'linux') return console.log(`\n${title}: left out, only Linux tells it`);
  console.log(`\n${title}`);
  let reference;
  for (const command of commands) {
    const peakMb = await peakMemory(command);
    reference ??= peakMb;
    console.log(
      `  ${command.name.padEnd(8)} peak ${peakMb.toFixed(0).padStart(6)} MB  ${(peakMb / reference).toFixed(2).padStart(6)} ×`,
    );
  }
}
