import type { ChartSet, Stage } from './stage.ts';

const waiting = ['--wait', '--timeout', '180s'];

export const installWords = (chart: string, { release }: Stage): string[] => ['install', release, chart, ...waiting];

export const upgradeWords = (chart: string, { release }: Stage, set: ChartSet): string[] => [
  'upgrade',
  '--install',
  release,
  chart,
  '--set',
  `set=${set}`,
  ...waiting,
];

export const rollbackWords = ({ release }: Stage, revision: number): string[] => [
  'rollback',
  release,
  String(revision),
  ...waiting,
];

export const uninstallWords = ({ release }: Stage): string[] => ['uninstall', release, ...waiting];

/** Runs a command that has to succeed, straight to the API server. */
export async function must(stage: Stage, words: readonly string[]): Promise<void> {
  const { code, stderr } = await stage.run(words);
  if (code !== 0) throw new Error(`tshelm ${words.join(' ')} ended with ${code}: ${stderr}`);
}
