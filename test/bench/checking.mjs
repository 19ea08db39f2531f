import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inTurns, measureOnce, printGoal, printTable, sorted } from './timing.mjs';

const runs = 5;

/**
 * `check` beside `template`, and beside a process of Helm and one of kubeconform for each case of the public charts. The
 * latter needs $KUBECONFORM and $KUBECONFORM_SCHEMAS, the pattern for its -schema-location.
 */
export async function checking({ tshelm, helm, charts }) {
  if (charts === undefined) return;
  const archives = join(charts, 'archives');
  const archive = readdirSync(archives).find((file) => file.startsWith('kube-prometheus-stack-'));
  if (archive !== undefined) besideTemplate(tshelm, join(archives, archive));
  const { KUBECONFORM: kubeconform, KUBECONFORM_SCHEMAS: schemas } = process.env;
  if (helm === undefined || !kubeconform || !schemas)
    console.log('\n(check beside kubeconform is left out: set KUBECONFORM and KUBECONFORM_SCHEMAS)');
  else besideKubeconform({ helm, kubeconform, schemas, charts });
}

function besideTemplate(tshelm, archive) {
  // Unpacked once: reading an archive is the same for both.
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  execFileSync('tar', ['xzf', archive, '-C', folder]);
  const chart = join(folder, readdirSync(folder)[0]);
  const words = { template: ['template', 'rel', chart], check: ['check', 'rel', chart, '--fail-on', 'never'] };
  const rows = Object.entries(words).map(([name, args]) => ({
    name,
    command: { command: process.execPath, args: [tshelm, ...args] },
  }));
  printRows('check: kube-prometheus-stack', timed(rows, runs), 1.5);
  rmSync(folder, { recursive: true });
}

function besideKubeconform({ helm, kubeconform, schemas, charts }) {
  const pipe = `while IFS= read -r line; do $line 2>/dev/null | "${kubeconform}" -strict -ignore-missing-schemas -schema-location "$1"; done; true`;
  const [, ...lines] = readFileSync(join(charts, 'cases.tsv'), 'utf8').trimEnd().split('\n');
  const cases = lines
    .map((line) => line.split('\t'))
    .filter(([, , , extra, result]) => extra === '-' && result === 'ok');
  const commands = cases.map(([, chart, values]) =>
    [helm, 'template', 'rel', join(charts, chart), ...(values === '-' ? [] : ['-f', join(charts, values)])].join(' '),
  );
  const rows = [
    {
      name: 'helm template | kubeconform, each',
      command: { command: 'bash', args: ['-c', pipe, 'bash', schemas], input: `${commands.join('\n')}\n` },
    },
    {
      name: 'check, one process',
      command: {
        command: process.execPath,
        args: [join(import.meta.dirname, 'check-cases.mjs'), charts],
        input: JSON.stringify(cases.map(([, chart, values]) => [chart, values])),
      },
    },
  ];
  printRows(`check: ${cases.length} cases of the public charts`, timed(rows, 2), 0.2);
}

function timed(rows, rounds) {
  const all = rows.map(({ name }) => ({ name, times: [], cpu: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const [index, { command }] of inTurns(rows, round)) {
      const { elapsedMs, cpuMs } = measureOnce(command);
      all[index].times.push(elapsedMs);
      all[index].cpu.push(cpuMs);
    }
  }
  return all;
}

function printRows(title, rows, goal) {
  const [elapsed, cpu] = ['times', 'cpu'].map((key) =>
    rows.map((row) => ({ name: row.name, times: sorted(row[key]) })),
  );
  printTable(title, elapsed);
  printTable(`${title}, processor time`, cpu);
  printGoal('lowest elapsed time', elapsed[1].times[0] / elapsed[0].times[0], goal);
}
