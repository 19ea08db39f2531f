import { expect, test } from 'vitest';
import { templateLine } from '../../src/manifest/template-line.ts';

const template = `kind: Service
metadata:
  name: {{ .Release.Name }}-web
  labels:
    {{- range .Values.x }}
    {{- toYaml . | nindent 2 }}
    {{- end }}
spec:
  ports:
    - port: {{ .Values.port }}
    - port: {{ .Values.other }}`;
const rendered = `kind: Service
metadata:
  name: r-web
  labels:
  team: a
  tier: b
spec:
  ports:
    - port: 80
    - port: 81`;

test.each([
  ['a line without actions', 1, 1],
  ['a line with one', 3, 3],
  ['the first of several that an action makes', 5, 6],
  ['a later one of these', 6, 6],
  ['one that two lines fit: the line before it tells which', 9, 10],
])('%s', (_what, line, made) => expect(templateLine(template, rendered, line)).toBe(made));
