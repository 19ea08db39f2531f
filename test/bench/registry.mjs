import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { compare } from './timing.mjs';

const host = '127.0.0.1:27180';

/**
 * A chart of a registry beside the same chart on the disk, rendered and planned without a cluster. The bound: 1.2 times the
 * disk and one round trip each for tags, manifest and layer.
 */
export async function registry({ tshelm, helm }) {
  const program = helm && join(dirname(helm), 'registry');
  if (!program || !existsSync(program)) return console.log('\nregistry: left out, there is no registry beside Helm');
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const env = { HELM_CACHE_HOME: join(folder, 'cache'), HELM_CONFIG_HOME: join(folder, 'config') };
  const server = startRegistry(program, folder);
  try {
    const run = (args) => {
      const { status, stderr } = spawnSync(helm, args, {
        cwd: folder,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`helm ${args.join(' ')}: ${stderr}`);
    };
    run(['create', 'demo']);
    run(['package', 'demo']);
    await answering();
    run(['push', 'demo-0.1.0.tgz', `oci://${host}/charts`, '--plain-http']);
    const flags = ['--dry-run=client', '--plain-http'];
    const [disk, remote] = [join(folder, 'demo-0.1.0.tgz'), `oci://${host}/charts/demo`];
    const ours = (name, ...args) => ({
      name,
      env,
      command: process.execPath,
      args: [tshelm, 'install', 'r', ...args, ...flags],
    });
    compare(
      'registry: install of the chart of helm create, from a registry beside the disk',
      [
        ours('tshelm, disk', disk),
        ours('tshelm, oci:// of a version', remote, '--version', '0.1.0'),
        ours('tshelm, oci:// the newest', remote),
        { name: 'helm, disk', env, command: helm, args: ['install', 'r', disk, ...flags] },
        { name: 'helm, oci:// the newest', env, command: helm, args: ['install', 'r', remote, ...flags] },
      ],
      25,
    );
  } finally {
    server.kill();
    rmSync(folder, { recursive: true });
  }
}

function startRegistry(program, folder) {
  const config = {
    version: '0.1',
    log: { level: 'error', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'registry') } },
    http: { addr: host },
  };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
  return spawn(program, ['serve', join(folder, 'config.yml')], { stdio: 'ignore' });
}

async function answering() {
  for (let attempt = 0; attempt < 100; attempt++) {
    const isThere = await fetch(`http://${host}/v2/`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isThere) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the registry does not answer at ${host}`);
}
