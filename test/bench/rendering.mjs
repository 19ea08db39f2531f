import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compare } from './timing.mjs';

/** Rendering beside Helm: real charts, and made ones that show how time grows. */
export async function rendering({ tshelm, helm, charts }) {
  const pair = (chart, args = []) => [
    ...(helm ? [{ name: 'helm template', command: helm, args: ['template', 'rel', chart, ...args] }] : []),
    { name: 'tshelm template', command: process.execPath, args: [tshelm, 'template', 'rel', chart, ...args] },
  ];
  if (charts !== undefined) {
    for (const name of ['podinfo', 'argo-cd', 'kube-prometheus-stack']) {
      const archive = readdirSync(join(charts, 'archives')).find((file) => file.startsWith(`${name}-`));
      if (archive)
        compare(`rendering: ${archive}`, pair(join(charts, 'archives', archive), ['--kube-version', '1.33.0']), 5);
    }
  }
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-bench-'));
  compare('rendering: 60 subcharts with heavy tpl', pair(umbrella(join(folder, 'umbrella'), 60)), 5);
  for (const factor of [1, 4, 16]) {
    const chart = manyTemplates(join(folder, `many-${factor}`), 50 * factor);
    compare(`rendering: ${50 * factor} templates (${factor} ×)`, pair(chart), 5);
  }
  rmSync(folder, { recursive: true });
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
