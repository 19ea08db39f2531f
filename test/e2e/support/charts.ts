import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder of this test file, removed at its end. */
export function scratchDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'tshelm-e2e-'));
  afterAll(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Writes a chart; files by their path in it, Chart.yaml is made where it is not given. Returns its folder. */
export function writeChart(directory: string, name: string, files: Readonly<Record<string, string>>): string {
  const chartYaml = `apiVersion: v2\nname: ${name}\nversion: 0.1.0\nappVersion: "1.0"\n`;
  return writeFiles(join(directory, name), { 'Chart.yaml': chartYaml, ...files });
}

export function writeFiles(directory: string, files: Readonly<Record<string, string>>): string {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), text);
  }
  return directory;
}

/** Metadata with the release's name before the object's, so that releases can share a namespace. */
const named = (name: string, annotations: Readonly<Record<string, string>> = {}): string =>
  `metadata:\n  name: {{ .Release.Name }}-${name}\n${annotationLines(annotations, '  ')}`;

function annotationLines(annotations: Readonly<Record<string, string>>, indent: string): string {
  const entries = Object.entries(annotations);
  if (entries.length === 0) return '';
  return `${indent}annotations:\n${entries.map(([key, value]) => `${indent}  ${key}: ${JSON.stringify(value)}\n`).join('')}`;
}

export interface PodOptions {
  /** Annotations of the object. */
  readonly annotations?: Readonly<Record<string, string>>;
  /** What the simulated pods do: see control-plane/stages.yaml. */
  readonly fate?: string;
  readonly readyAfter?: string;
  readonly extra?: string;
}

const podAnnotations = ({ fate, readyAfter }: PodOptions): Readonly<Record<string, string>> => ({
  ...(fate === undefined ? {} : { 'e2e.tshelm.dev/fate': fate }),
  ...(readyAfter === undefined ? {} : { 'e2e.tshelm.dev/ready-after': readyAfter }),
});

export const configMap = (name: string, data: string, annotations?: Readonly<Record<string, string>>): string =>
  `apiVersion: v1\nkind: ConfigMap\n${named(name, annotations)}data:\n  value: ${data}\n`;

/** A Deployment, StatefulSet or DaemonSet. */
export function workload(
  kind: 'Deployment' | 'StatefulSet' | 'DaemonSet',
  name: string,
  options: PodOptions = {},
): string {
  const replicas = kind === 'DaemonSet' ? '' : '  replicas: {{ .Values.replicas | default 1 }}\n';
  const service = kind === 'StatefulSet' ? `  serviceName: {{ .Release.Name }}-${name}\n` : '';
  return `apiVersion: apps/v1\nkind: ${kind}\n${named(name, options.annotations)}spec:\n${replicas}${service}\
  selector:\n    matchLabels:\n      app: {{ .Release.Name }}-${name}\n\
  template:\n    metadata:\n      labels:\n        app: {{ .Release.Name }}-${name}\n${annotationLines(podAnnotations(options), '      ')}\
    spec:\n      containers:\n        - name: main\n          image: example.com/main:{{ .Values.tag | default "1" }}\n${options.extra ?? ''}`;
}

export const job = (name: string, options: PodOptions & { readonly spec?: string } = {}): string =>
  `apiVersion: batch/v1\nkind: Job\n${named(name, options.annotations)}spec:\n  backoffLimit: 0\n${options.spec ?? ''}\
  template:\n    metadata:\n      annotations:\n        e2e.tshelm.dev/ready-after: ${options.readyAfter ?? '0s'}\n${
    options.fate === undefined ? '' : `        e2e.tshelm.dev/fate: ${options.fate}\n`
  }    spec:\n      restartPolicy: Never\n      containers:\n        - name: main\n          image: example.com/job:1\n`;

export const hook = (
  events: string,
  options: { readonly weight?: number; readonly policy?: string } = {},
): Readonly<Record<string, string>> => ({
  'helm.sh/hook': events,
  ...(options.weight === undefined ? {} : { 'helm.sh/hook-weight': String(options.weight) }),
  ...(options.policy === undefined ? {} : { 'helm.sh/hook-delete-policy': options.policy }),
});

export const documents = (...texts: readonly string[]): string => texts.join('---\n');
