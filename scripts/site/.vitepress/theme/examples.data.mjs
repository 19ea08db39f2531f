// The charts that the playground starts with, from the repository; read when the site is built.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../../..');

const filesBelow = (folder) =>
  Object.fromEntries(
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [relative(join(root, folder), path), readFileSync(path, 'utf8')]),
  );

const template = `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
{{- range $name, $count := .Values.fruits }}
  {{ $name }}: {{ $count | quote }}
{{- end }}
`;

export default {
  load: () => [
    {
      name: 'One template and its values',
      files: { 'templates/config.yaml': template },
      values: 'fruits:\n  apples: 3\n  pears: 5\n',
    },
    { name: 'A shop with two subcharts, in order', files: filesBelow('fixtures/charts/shop'), values: '' },
    { name: 'A chart with a schema', files: filesBelow('examples/chart'), values: '' },
    { name: 'Handlebars', files: filesBelow('fixtures/charts/handlebars-example'), values: '' },
    {
      name: 'A template with a mistake',
      files: { 'templates/config.yaml': template.replace('.Values.fruits', '.Values.basket.fruits') },
      values: 'fruits:\n  apples: 3\n',
    },
  ],
};
