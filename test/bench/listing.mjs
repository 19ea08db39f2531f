import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { accessOf, configMapChart } from './deploying.mjs';
import { median, peakMemory, printGoal, printTable, takeTurns, timeOnce } from './timing.mjs';

const rounds = 5;
/** A tenth is what a busy machine adds to either. */
const ofHelm = 1.1;
const goalMib = 150;
/**
 * Namespaces by what they hold: how many records, how many bytes that do not compress in each, and what is asked of them.
 * Records are releases of their own, or with `isHistory` revisions of one.
 */
const sizes = {
  'bench-small': { count: 3_000, padding: 4_000, asked: [['list', '--max', '0']] },
  'bench-large': { count: 40, padding: 560_000, asked: [['list', '--max', '0']] },
  'bench-revisions': {
    count: 40,
    padding: 560_000,
    isHistory: true,
    asked: [
      ['history', 'seed'],
      ['status', 'seed'],
    ],
  },
};

/**
 * `list` over many releases and over large ones, `history` and `status` of one with many large revisions: time and memory
 * beside Helm, on the cluster of $TSHELM_BENCH_KUBECONFIG (deploying.mjs).
 */
export async function listing({ tshelm, helm }) {
  const kubeconfig = process.env.TSHELM_BENCH_KUBECONFIG;
  if (kubeconfig === undefined || helm === undefined) {
    console.log('\n(listing: set TSHELM_BENCH_KUBECONFIG to a test cluster to time lists beside Helm)');
    return;
  }
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
  process.env.NODE_NO_WARNINGS = '1';
  process.removeAllListeners('warning');
  const env = { KUBECONFIG: kubeconfig };
  const api = apiOf(accessOf(kubeconfig));
  for (const [namespace, { asked, ...size }] of Object.entries(sizes)) {
    try {
      await fill(namespace, { ...size, api, helm, env });
      for (const words of asked) {
        const args = [...words, '-n', namespace];
        const records = `${size.count} records of ${Math.round((size.padding * 16) / 9_000) + 5} kB or so`;
        await beside(`listing: ${words[0]}, ${records}`, [
          { name: 'helm', command: helm, args, env },
          { name: 'tshelm', command: process.execPath, args: [tshelm, ...args], env },
        ]);
      }
    } finally {
      await api('DELETE', `/api/v1/namespaces/${namespace}`);
    }
  }
}

/** Both tools' times, and tshelm's memory, with their goals. */
async function beside(title, tools) {
  const times = takeTurns(tools, rounds);
  printTable(
    title,
    tools.map(({ name }, index) => ({ name, times: times[index] })),
  );
  printGoal('time, of Helm', median(times[1]) / median(times[0]), ofHelm);
  if (process.platform === 'linux') printGoal(`memory, of ${goalMib} MiB`, (await peakMemory(tools[1])) / goalMib, 1);
}

/** Copies of one release's record under other names, or as its later revisions. */
async function fill(namespace, { count, padding, isHistory, api, helm, env }) {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  const chart = configMapChart(join(folder, 'maps'), 1);
  timeOnce({ command: helm, args: ['install', 'seed', chart, '-n', namespace, '--create-namespace'], env });
  rmSync(folder, { recursive: true });
  const path = `/api/v1/namespaces/${namespace}/secrets`;
  const seed = await api('GET', `${path}/sh.helm.release.v1.seed.v1`);
  const release = JSON.parse(gunzipSync(Buffer.from(Buffer.from(seed.data.release, 'base64').toString(), 'base64')));
  const numbers = Array.from({ length: count - 1 }, (_, index) => index);
  const work = async () => {
    for (let number = numbers.shift(); number !== undefined; number = numbers.shift()) {
      const { name, version } = isHistory ? { name: 'seed', version: number + 2 } : { name: `r${number}`, version: 1 };
      const files = [{ name: 'padding', data: randomBytes(padding).toString('base64') }];
      const text = JSON.stringify({ ...release, name, version, chart: { ...release.chart, files } });
      const labels = { name, owner: 'helm', status: 'deployed', version: String(version) };
      const data = { release: Buffer.from(gzipSync(text).toString('base64')).toString('base64') };
      await api('POST', path, {
        apiVersion: 'v1',
        kind: 'Secret',
        type: 'helm.sh/release.v1',
        metadata: { name: `sh.helm.release.v1.${name}.v${version}`, labels },
        data,
      });
    }
  };
  await Promise.all(Array.from({ length: 16 }, work));
}

const apiOf =
  ({ server, token }) =>
  async (method, path, object) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const answer = await fetch(`${server}${path}`, { method, headers, body: object && JSON.stringify(object) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
