import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A chart that reads values in several ways, with a subchart and a file of ci/. */
export const shop: Readonly<Record<string, string>> = {
  'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\ndependencies:\n  - name: db\n    version: 1.0.0\n',
  'values.yaml':
    'replicas: 2\nimage:\n  name: web\n  tag: v1\nports:\n  - name: http\n    number: 80\ndb:\n  size: 2Gi\n',
  'ci/big-values.yaml': 'replicas: 5\n',
  'templates/_helpers.tpl':
    '{{- define "shop.image" -}}\n{{ .image.name }}:{{ .image.tag }}\n{{- end }}\n{{- define "shop.labels" -}}\napp: {{ .Release.Name }}\n{{- end }}\n',
  'templates/web.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: {{- include "shop.labels" . | nindent 6 }}
  template:
    metadata:
      labels: {{- include "shop.labels" . | nindent 8 }}
    spec:
      containers:
        - name: web
          image: {{ include "shop.image" (dict "image" .Values.image) }}
          ports:
            {{- range .Values.ports }}
            - containerPort: {{ .number }}
            {{- end }}
`,
  'charts/db/Chart.yaml': 'apiVersion: v2\nname: db\nversion: 1.0.0\n',
  'charts/db/values.yaml': 'size: 1Gi\n',
  'charts/db/templates/config.yaml':
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: db\ndata:\n  size: {{ .Values.size | quote }}\n',
};

/** Writes a chart into a folder. */
export function writeChart(folder: string, files = shop): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}
