import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestSandbox, type Ran } from '../cli/harness.ts';

/** A folder with a small chart in `chart/`, and a sandbox that its stack is deployed to. */
export interface StackFolder {
  readonly path: string;
  /** Where the sandbox is kept. */
  readonly sandbox: string;
  write(name: string, text: string): void;
  read(name: string): string;
  /** `tshelm stack VERB -f helmfile.yaml WORDS`. */
  stack(verb: string, ...words: string[]): Promise<Ran>;
  tshelm(...words: string[]): Promise<Ran>;
  remove(): void;
}

export function openStackFolder(): StackFolder {
  const sandbox = openTestSandbox();
  const path = mkdtempSync(join(tmpdir(), 'tshelm-stack-'));
  const folder: StackFolder = {
    path,
    sandbox: sandbox.directory,
    write(name, text) {
      mkdirSync(join(path, name, '..'), { recursive: true });
      writeFileSync(join(path, name), text);
    },
    read: (name) => readFileSync(join(path, name), 'utf8'),
    stack: (verb, ...words) => sandbox.run('stack', verb, '-f', join(path, 'helmfile.yaml'), ...words),
    tshelm: sandbox.run,
    remove() {
      sandbox.remove();
      rmSync(path, { recursive: true, force: true });
    },
  };
  folder.write('chart/Chart.yaml', 'apiVersion: v2\nname: chart\nversion: 0.1.0\n');
  folder.write('chart/values.yaml', 'v: 0\n');
  folder.write(
    'chart/templates/map.yaml',
    'apiVersion: {{ .Values.version | default "v1" }}\nkind: ConfigMap\nmetadata: {name: "{{ .Values.name | default .Release.Name }}"}\ndata: {v: {{ .Values.v | quote }}}\n',
  );
  return folder;
}

/** A release of that chart, as helmfile.yaml says it; `more` are lines of it. */
export const releaseText = (name: string, more = ''): string =>
  `  - name: ${name}\n    namespace: shop\n    chart: ./chart\n    values: [{v: 1}]\n${more}`;
