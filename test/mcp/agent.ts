import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { ReleaseDiagnosis } from '../../src/index.ts';
import { call } from './client.ts';

/** A chart whose image has a tag that no registry has, unless the value says another. */
export const brokenChart = {
  'Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'values.yaml': 'image:\n  repository: registry.example/web\n  tag: "1.0"\n',
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata: {name: {{ .Release.Name }}}
spec:
  replicas: 1
  selector: {matchLabels: {app: {{ .Release.Name }}}}
  template:
    metadata:
      labels: {app: {{ .Release.Name }}}
      {{- if eq .Values.image.tag "9.9" }}
      annotations: {sandbox.tshelm.dev/fate: image-pull, e2e.tshelm.dev/fate: image-pull}
      {{- end }}
    spec:
      containers:
        - name: web
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag }}"
`,
};

interface Loop {
  readonly release: string;
  readonly namespace: string;
  /** The folder of the server, with the chart `web` in it. */
  readonly folder: string;
  /** What a person does with a plan. */
  readonly releasePlan: (file: string) => Promise<unknown>;
}

/**
 * Plays a model that finds a broken release: it asks what is wrong, takes the value that the problem names from the last
 * revision that worked, plans, has the plan released, and applies it. Gives back what it saw on the way.
 */
export async function mend(client: Client, { release, namespace, folder, releasePlan }: Loop) {
  const before = (await call(client, 'diagnose', { release, namespace })) as unknown as ReleaseDiagnosis;
  const keys = valueKeysIn(before);
  const { values } = await call(client, 'status', { release, namespace, revision: before.revision - 1 });
  const good = keys.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], values);
  const nested = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), good);
  writeFileSync(join(folder, 'fix.yaml'), JSON.stringify(nested));
  const given = { release, namespace, chart: 'web', valueFiles: ['fix.yaml'], plan: 'fix.plan', wait: 'watcher' };
  const planned = await call(client, 'plan', given);
  const early = await call(client, 'apply', { plan: 'fix.plan' });
  await releasePlan(join(folder, 'fix.plan'));
  const applied = await call(client, 'apply', { plan: 'fix.plan' });
  const after = (await call(client, 'diagnose', { release, namespace })) as unknown as ReleaseDiagnosis;
  return { before, keys, planned, early, applied, after };
}

/** The first value that a problem says to change. */
function valueKeysIn({ problems }: ReleaseDiagnosis): readonly string[] {
  const fields = problems.flatMap(({ places }) => places.filter((place) => place.kind === 'field'));
  const values = fields.flatMap(({ values: all = [] }) => all);
  return values.find(({ keys }) => keys.at(-1) === 'tag')?.keys ?? [];
}
