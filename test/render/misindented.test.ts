import { expect, test } from 'vitest';
import { misindented, wrongLines } from '../../src/render/misindented.ts';
import { YamlError } from '../../src/yaml/errors.ts';
import { readPlainYaml } from '../../src/yaml/index.ts';

const object = `apiVersion: v1
kind: Service
metadata:
  name: web
  labels:
    app: web
    tier: front
spec:
  ports:
  - name: http
    port: 80
  - name: metrics
    port: 9090
  type: ClusterIP
`;

const pod = `apiVersion: v1
kind: Pod
metadata:
  name: web
spec:
  containers:
    - name: web
      ports:
        - containerPort: 80
      livenessProbe:
        httpGet:
          port: 80
`;

/** Where the reader stumbles. */
function stumbles(text: string): number | undefined {
  try {
    readPlainYaml(`a:\n${text.replaceAll(/^/gm, ' ')}`);
    return undefined;
  } catch (error) {
    return error instanceof YamlError && error.line !== undefined ? error.line - 1 : undefined;
  }
}

test.each([
  [4, ' '],
  [4, ''],
  [5, '   '],
  [6, '      '],
  [9, ''],
  [10, '   '],
  [11, '     '],
  [12, ' '],
  [14, '   '],
])('line %i with the indentation %j is at fault, wherever the reader stumbles', (line, indentation) => {
  const lines = object.split('\n');
  lines[line - 1] = indentation + (lines[line - 1] ?? '').trimStart();
  const text = lines.join('\n');
  const at = stumbles(text);
  expect(at).toBeDefined();
  expect(misindented(text, at ?? 0)).toMatchObject({ from: line, until: line, isBlock: false });
});

test('the lines that one action has written are at fault together', () => {
  const text = object.replace('    app', '   app').replace('    tier', '   tier').replace('  type', '  a: b\n  type');
  const shifted = text.replace('  labels:\n', '  labels:\n    a: b\n');
  const includerOf = (line: number): string | undefined => (line === 7 || line === 8 ? 'labels' : undefined);
  expect(misindented(shifted, stumbles(shifted) ?? 0, includerOf)).toMatchObject({ from: 7, until: 8, isBlock: true });
});

test('how far a line has to move is said', () => {
  const text = object.replace('    app', '   app');
  expect(misindented(text, stumbles(text) ?? 0)).toMatchObject({ by: 1 });
});

test('a line without its colon is told as that', () => {
  const text = object.replace('app: ', 'app ');
  const line = object.split('\n').findIndex((one) => one.includes('app: ')) + 1;
  expect(wrongLines(text, stumbles(text) ?? 0)).toMatchObject({ from: line, code: 'yaml-colon-missing' });
});

test.each([
  ['a list as deep', 'args:\n- a\nports\n- name: http\n  port: 80\nlast: 1\n', 3],
  ['a deeper list', 'args:\n- a\nports\n  - name: http\n    port: 80\nlast: 1\n', 3],
  ['a deeper map', 'kind: A\nmetadata\n  name: web\n  a: b\n', 2],
  ['a map in a list', 'a:\n- image: x\n  resources\n    limits: 1\n  b: 2\n', 3],
])('a word without its colon before %s is told as that', (_what, text, line) =>
  expect(wrongLines(text, stumbles(text) ?? 0)).toMatchObject({ from: line, code: 'yaml-colon-missing' }),
);

test('a word that begins no block is a text that is not deep enough', () => {
  const text = 'a: |\nhello\nb: 1\n';
  expect(wrongLines(text, stumbles(text) ?? 0)?.code).not.toBe('yaml-colon-missing');
});

test('an apostrophe opens no quote', () => {
  const text = "a: it's\n b: 1\n";
  expect(wrongLines(text, stumbles(text) ?? 0)?.code).not.toBe('yaml-quote-open');
});

test('nothing is said of a text that no other depth makes YAML', () =>
  expect(misindented('a:\n  b: "c\nd: e\n', 3)).toBeUndefined());

test('a text of megabytes is not tried', () => {
  const open = 'a: "x\nb: 1\n';
  expect(wrongLines(open, 2)).toMatchObject({ from: 1, code: 'yaml-quote-open' });
  expect(wrongLines(`${'# v\n'.repeat(30_000)}${open}`, 30_002)).toBeUndefined();
});

test('of two lines that can be moved it is the one below which the fields belong', () => {
  // With its item two columns less deep, the probe would be a field of the port.
  const text = pod.replace('      ports:', '  ports:');
  expect(misindented(text, stumbles(text) ?? 0)).toMatchObject({ from: 8, by: 4 });
});
