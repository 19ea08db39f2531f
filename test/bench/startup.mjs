import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from './timing.mjs';

/** Small commands beside an empty script: what starting costs. */
export async function startup({ root, tshelm, helm }) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const chart = helm ? createdChart(helm, folder) : join(root, 'fixtures/charts/shop');
  const commands = [
    { name: 'node -e 0', command: process.execPath, args: ['-e', '0'] },
    { name: 'tshelm version', command: process.execPath, args: [tshelm, 'version'] },
    { name: 'tshelm template', command: process.execPath, args: [tshelm, 'template', 'rel', chart] },
    ...executable(root).flatMap((command) => [
      { name: 'executable version', command, args: ['version'] },
      { name: 'executable template', command, args: ['template', 'rel', chart] },
    ]),
    ...(helm ? [{ name: 'helm version', command: helm, args: ['version'] }] : []),
    ...(helm ? [{ name: 'helm template', command: helm, args: ['template', 'rel', chart] }] : []),
  ];
  compare("startup: the chart of helm create (or our example), beside 'node -e 0'", commands, 15);
  rmSync(folder, { recursive: true });
}

/** The executable for this machine, where `npm run release` has made it. */
export function executable(root) {
  const target = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const file = join(root, 'release', target, 'tshelm');
  if (existsSync(file)) return [file];
  console.log(`(no executable: npm run release -- ${target} --no-archive)`);
  return [];
}

function createdChart(helm, folder) {
  const { status, stderr } = spawnSync(helm, ['create', 'demo'], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(`helm create: ${stderr}`);
  return join(folder, 'demo');
}
