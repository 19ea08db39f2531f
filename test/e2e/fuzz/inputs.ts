import { gzipSync } from 'node:zlib';
import { drawFrom, drawn } from '../../support/mutations.ts';

/** What a program is given: files below FOLDER, a command line, and what the API server at API answers to everything. */
export interface Input {
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly words: readonly string[];
  readonly answer?: string | undefined;
}

const chartYaml = 'apiVersion: v2\nname: web\nversion: 0.1.0\n';
const values =
  'a: &a {b: [1, "x", \'y\']}\nc: *a\nd: |\n  text\ne: !!str 5\nf: >-\n  long\n  text\nl: [1, 2]\nm: {k: v}\nn: 1.5e3\n';
const template =
  'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: {{ .Release.Name | trunc 63 | trimSuffix "-" }}\ndata:\n{{- range $i, $e := .Values.l }}\n  k{{ $i | add 1 }}: {{ tpl "{{ . }}" (toString $e) | quote }}\n{{- end }}\n  {{- with .Values.m }}{{ toYaml . | nindent 2 }}{{ end }}\n  re: {{ regexReplaceAll "a+" "baaab" "x" | printf "%s-%d" "y" 1 | quote }}\n';
const schema =
  '{"type":"object","properties":{"l":{"type":"array","items":{"$ref":"#/$defs/n"}}},"$defs":{"n":{"type":"integer","minimum":0}}}';
const index =
  'apiVersion: v1\nentries:\n  web:\n  - name: web\n    version: 1.0.0\n    appVersion: "1"\n    description: a chart\n    urls: [web-1.0.0.tgz]\n    created: 2020-01-01T00:00:00.000Z\n';
const repositories = 'apiVersion: ""\nrepositories:\n- name: r\n  url: http://127.0.0.1:1/charts\n';
const kubeconfig =
  'current-context: a\ncontexts: [{name: a, context: {cluster: a, user: a, namespace: n}}]\nclusters: [{name: a, cluster: {server: "http://127.0.0.1:1"}}]\nusers: [{name: a, user: {token: t, username: u, password: p}}]\n';
const secret =
  '{"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"sh.helm.release.v1.web.v1","namespace":"default","labels":{"name":"web","owner":"helm","status":"deployed","version":"1"}},"data":{"release":"SDRzSUFB"},"type":"helm.sh/release.v1"}]}';

const chart = (files: Input['files']): Input['files'] => ({
  'web/Chart.yaml': chartYaml,
  'web/values.yaml': values,
  'web/templates/a.yaml': template,
  ...files,
});
const render = ['template', 'web', 'FOLDER/web'];

/** A text with mistakes in it, and one time in four with a part of it many times over: what is slower than linear shows. */
function mutated(text: string, seed: number): string {
  const below = drawn(seed);
  const [broken = text] = drawFrom(text, 1, seed);
  if (below(4) > 0) return broken;
  const from = below(text.length);
  const part = text.slice(from, from + 1 + below(30));
  return text.slice(0, from) + part.repeat(10 ** (1 + below(4))) + text.slice(from);
}

/** One for each kind of input, by a seed. */
export const draws: readonly ((seed: number) => Input)[] = [
  (seed) => ({
    files: chart({ 'values.yaml': mutated(values, seed) }),
    words: [...render, '-f', 'FOLDER/values.yaml'],
  }),
  (seed) => ({ files: chart({ 'web/values.yaml': mutated(values, seed) }), words: render }),
  (seed) => ({ files: chart({ 'web/templates/a.yaml': mutated(template, seed) }), words: render }),
  (seed) => ({ files: chart({ 'web/values.schema.json': mutated(schema, seed) }), words: render }),
  (seed) => ({ files: chart({ 'web/Chart.yaml': mutated(chartYaml, seed) }), words: ['lint', 'FOLDER/web'] }),
  (seed) => ({
    files: chart({}),
    words: [...render, `--set=${argument(mutated('a.b[0].c={1,x\\,y},d=null,l[1]=5,m.g="h"', seed))}`],
  }),
  (seed) => ({
    files: chart({}),
    words: [...render, `--set-json=${argument(mutated('a={"b":[1,{"c":null}]},d="x",l=[1,2]', seed))}`],
  }),
  (seed) => ({
    files: { 'repositories.yaml': repositories, 'r-index.yaml': mutated(index, seed) },
    words: ['search', 'repo', 'web', '-l'],
  }),
  (seed) => ({ files: { 'web.tgz': gzipSync(mutated(tarLike, seed)) }, words: ['show', 'chart', 'FOLDER/web.tgz'] }),
  (seed) => ({
    files: {},
    words: ['pull', `oci://127.0.0.1:1/${argument(mutated('org/a_b/c--d:1.0_x@sha256:abc', seed))}`],
  }),
  (seed) => ({
    files: {
      'config.yaml': mutated(kubeconfig, seed).replace(
        /server: "?(?!http:\/\/127)[^}]*/g,
        'server: "http://127.0.0.1:1"',
      ),
    },
    words: ['list', '--kubeconfig', 'FOLDER/config.yaml'],
  }),
  (seed) => ({ files: {}, words: ['list', '--kube-apiserver', 'API'], answer: mutated(secret, seed) }),
  (seed) => ({
    files: {},
    words: ['status', 'web', '--kube-apiserver', 'API'],
    answer: mutated(secret.slice(secret.indexOf('[{') + 1, -2), seed),
  }),
];

/** No system takes a zero byte or 128 KiB in one argument. */
const argument = (text: string): string => text.replaceAll('\0', '0').slice(0, 120_000);

/** One file of an archive: its header of 512 bytes, then its text. */
const tarLike = (() => {
  const header = Buffer.alloc(512);
  header.write('web/Chart.yaml', 0);
  header.write('0000644\0', 100);
  header.write(chartYaml.length.toString(8).padStart(11, '0'), 124);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  header.write('        ', 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return `${header.toString('latin1')}${chartYaml.padEnd(512, '\0')}${'\0'.repeat(1024)}`;
})();
