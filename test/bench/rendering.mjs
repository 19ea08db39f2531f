import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare, printTable } from './timing.mjs';

/**
 * Rendering beside Helm: real charts, and made ones that show how time grows. The executable of `npm run release` takes
 * part as $TSHELM_BENCH_EXECUTABLE.
 */
export async function rendering({ tshelm, helm, charts }) {
  const executable = process.env.TSHELM_BENCH_EXECUTABLE;
  const pair = (chart, args = []) => [
    ...(helm ? [{ name: 'helm template', command: helm, args: ['template', 'rel', chart, ...args] }] : []),
    { name: 'tshelm template', command: process.execPath, args: [tshelm, 'template', 'rel', chart, ...args] },
    ...(executable
      ? [{ name: 'executable template', command: executable, args: ['template', 'rel', chart, ...args] }]
      : []),
  ];
  if (charts !== undefined) {
    for (const name of ['podinfo', 'argo-cd', 'kube-prometheus-stack']) {
      const archive = readdirSync(join(charts, 'archives')).find((file) => file.startsWith(`${name}-`));
      if (archive)
        compare(`rendering: ${archive}`, pair(join(charts, 'archives', archive), ['--kube-version', '1.33.0']), 5);
    }
  }
  if (charts !== undefined && helm) oneProcess(helm, charts);
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  compare('rendering: 60 subcharts with heavy tpl', pair(umbrella(join(folder, 'umbrella'), 60)), 5);
  for (const factor of [1, 4, 16]) {
    const chart = manyTemplates(join(folder, `many-${factor}`), 50 * factor);
    compare(`rendering: ${50 * factor} templates (${factor} ×)`, pair(chart), 5);
  }
  rmSync(folder, { recursive: true });
}

/** All cases of the public charts: Helm, a process for each; the library, one process that starts, reads and renders them. */
function oneProcess(helm, charts) {
  const [, ...lines] = readFileSync(join(charts, 'cases.tsv'), 'utf8').trimEnd().split('\n');
  const words = lines.map((line) => {
    const [, chart, values, extra] = line.split('\t');
    return `'${helm}' template rel ${chart} --namespace ns --kube-version 1.33.0 ${values === '-' ? '' : `-f ${values}`} ${extra === '-' ? '' : extra}`;
  });
  const timed = (work) => {
    const started = process.hrtime.bigint();
    work();
    return Number(process.hrtime.bigint() - started) / 1e6;
  };
  const program = join(import.meta.dirname, 'render-sync.mjs');
  const helms = [];
  const ours = [];
  const again = [];
  for (let run = 0; run < 3; run++) {
    // Some of the cases are to fail, and none prints to a terminal.
    helms.push(
      timed(() => words.forEach((line) => spawnSync('bash', ['-c', `exec ${line}`], { cwd: charts, stdio: 'ignore' }))),
    );
    ours.push(timed(() => spawnSync(process.execPath, [program, charts], { stdio: 'ignore' })));
    const rounds = spawnSync(process.execPath, [program, charts, '3'], { encoding: 'utf8' }).stdout.trim().split('\n');
    again.push(JSON.parse(rounds.at(-1)).elapsedMs);
  }
  const sorted = (times) => times.toSorted((a, b) => a - b);
  printTable(`rendering: ${lines.length} cases of the public charts`, [
    { name: `helm template, ${lines.length} processes`, times: sorted(helms) },
    { name: 'renderSync, one process from its start', times: sorted(ours) },
    { name: 'renderSync, the third time in a process', times: sorted(again) },
  ]);
}

const deployment = (name) => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "common.name" . }}-${name}
  labels: {{- include "common.labels" . | nindent 4 }}
spec:
  replicas: {{ .Values.replicas | default 1 }}
  template:
    metadata:
      labels: {{- tpl (toYaml .Values.podLabels) . | nindent 8 }}
    spec:
      containers:
        - name: main
          image: {{ tpl .Values.image . | quote }}
          env: {{- range $k, $v := .Values.env }}
            - name: {{ $k | upper | quote }}
              value: {{ tpl $v $ | quote }}
          {{- end }}
`;

const helpers = `{{- define "common.name" -}}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 63 | trimSuffix "-" }}{{- end }}
{{- define "common.labels" -}}
app: {{ include "common.name" . }}
release: {{ tpl "{{ .Release.Name }}" . }}
{{- end }}
`;

const values = `replicas: 2
image: '{{ .Release.Name }}/app:{{ .Chart.Version }}'
podLabels: {app: '{{ include "common.name" . }}', tier: backend}
env: {A: '{{ .Values.replicas }}', B: '{{ .Release.Namespace }}', C: 'plain', D: '{{ "x" | upper }}', E: '{{ .Chart.Name }}'}
`;

function writeChart(folder, name, templates) {
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), `apiVersion: v2\nname: ${name}\nversion: 1.0.0\n`);
  writeFileSync(join(folder, 'values.yaml'), values);
  writeFileSync(join(folder, 'templates', '_helpers.tpl'), helpers);
  for (let index = 0; index < templates; index++) {
    writeFileSync(join(folder, 'templates', `deployment-${index}.yaml`), deployment(`d${index}`));
  }
  return folder;
}

const manyTemplates = (folder, count) => writeChart(folder, 'many', count);

function umbrella(folder, subcharts) {
  writeChart(folder, 'umbrella', 2);
  for (let index = 0; index < subcharts; index++) writeChart(join(folder, 'charts', `sub${index}`), `sub${index}`, 8);
  return folder;
}
