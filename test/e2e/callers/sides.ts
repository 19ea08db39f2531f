import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect } from 'vitest';
import { connect } from '../../../src/cluster/connect.ts';
import { tshelmPath } from '../support/programs.ts';

/** The built programs, `helm` among them. */
export const bin = process.env['TSHELM_E2E_BIN'] as string;

export type SideName = 'helm' | 'tshelm';

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CallOptions {
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** A folder with two PATHs: `helm` is Helm in one and tshelm in the other. Each side has a home of its own. */
export interface Sides {
  readonly folder: string;
  /** The `helm` of a side. */
  helm(which: SideName): string;
  /** Where a side keeps Helm's files. */
  home(which: SideName): string;
  /** A folder of a side's own. */
  own(which: SideName): string;
  write(path: string, text: string): void;
  /** A namespace's name, as long for both sides, so that tables are as wide. */
  namespace(test: string, which: SideName): string;
  /** Runs a program that finds `helm` in its PATH; a name is one of the built programs. */
  call(program: string, args: readonly string[], which: SideName, options?: CallOptions): Promise<Ran>;
  /** Runs it on both sides: exit code and standard output must be the same. Gives what it was with tshelm. */
  both(program: string, argsFor: (which: SideName) => readonly string[], options?: CallOptions): Promise<Ran>;
  /** Runs `helm` itself on both sides. */
  bothHelms(
    argsFor: (which: SideName) => readonly string[],
    optionsFor?: (which: SideName) => CallOptions,
  ): Promise<Ran>;
  /** Removes the folder and the namespaces. */
  remove(): Promise<void>;
}

export function openSides(): Sides {
  const folder = mkdtempSync(join(tmpdir(), 'tshelm-callers-'));
  const namespaces = new Set<string>();
  for (const [name, path] of [
    ['helm', join(bin, 'helm')],
    ['tshelm', tshelmPath],
  ] as const) {
    mkdirSync(join(folder, 'path', name), { recursive: true });
    symlinkSync(path, join(folder, 'path', name, 'helm'));
    mkdirSync(join(folder, sideOf(name)));
  }
  const home = (which: SideName): string => join(folder, 'homes', which);
  const own = (which: SideName): string => join(folder, sideOf(which));
  const helm = (which: SideName): string => join(folder, 'path', which, 'helm');
  const call = (program: string, args: readonly string[], which: SideName, options: CallOptions = {}): Promise<Ran> => {
    const env = {
      ...process.env,
      PATH: `${join(folder, 'path', which)}:${process.env['PATH']}`,
      HELM_DATA_HOME: join(home(which), 'data'),
      HELM_CACHE_HOME: join(home(which), 'cache'),
      HELM_CONFIG_HOME: join(home(which), 'config'),
      ...options.env,
    };
    return run(resolve(bin, program), args, { cwd: options.cwd ?? folder, env, stdin: options.stdin });
  };
  const compared = async (callOn: (which: SideName) => Promise<Ran>): Promise<Ran> => {
    const [ofHelm, ofTshelm] = [await callOn('helm'), await callOn('tshelm')];
    expect(masked(ofTshelm, 'tshelm'), ofTshelm.stderr).toEqual(masked(ofHelm, 'helm'));
    return ofTshelm;
  };
  return {
    folder,
    helm,
    home,
    own,
    call,
    write(path, text) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    namespace(test, which) {
      const name = `callers-${test}-${sideOf(which)}-${process.pid}`;
      namespaces.add(name);
      return name;
    },
    both: (program, argsFor, options) => compared((which) => call(program, argsFor(which), which, options)),
    bothHelms: (argsFor, optionsFor) =>
      compared((which) => call(helm(which), argsFor(which), which, optionsFor?.(which))),
    async remove() {
      const cluster = await connect();
      for (const name of namespaces) await cluster.delete({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name });
      cluster.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Names of the same length. */
const sideOf = (which: SideName): string => (which === 'helm' ? 'side1' : 'side2');

interface Start {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin?: string | undefined;
}

function run(program: string, args: readonly string[], { cwd, env, stdin = '' }: Start): Promise<Ran> {
  return new Promise((done, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    const texts = { stdout: '', stderr: '' };
    child.stdout.on('data', (text: Buffer) => (texts.stdout += text));
    child.stderr.on('data', (text: Buffer) => (texts.stderr += text));
    child.on('error', reject).on('close', (code) => done({ code, ...texts }));
    // A program may end without reading what it is given.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}

/** Without times, random names and what names the side; helmfile works on several releases at once, in any order. */
export const masked = (
  { code, stdout }: Ran,
  which: SideName,
): { readonly code: number | null; readonly lines: readonly string[] } => ({
  code,
  lines: stdout
    .replaceAll(`-${sideOf(which)}-`, '-SIDE-')
    .replaceAll(`/${sideOf(which)}/`, '/SIDE/')
    .replaceAll(`/homes/${which}/`, '/homes/SIDE/')
    .replace(/[A-Z][a-z]{2} [A-Z][a-z]{2} +\d+ [\d:]{8} \d{4}/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\d [\d:.]+ \S+ UTC/g, 'TIME')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    // Helm as it is built here knows no more of its version.
    .replace(/\bv4\.3(\.1)?\b/g, 'VERSION')
    .replace(/revision\d{6,}/g, 'revisionRANDOM')
    .replace(/"(resourceVersion|uid|modifiedAt|createdAt)":"[\w-]+"/g, '"$1":"RANDOM"')
    .replace(/-[a-z0-9]{10}\b/g, '-RANDOM')
    // Go names the unit that fits: a quiet machine needs microseconds.
    .replace(/\b(?:\d+h)?(?:\d+m)?[\d.]+[nµm]?s\b/g, 'DURATION')
    .split('\n')
    .map((line) => line.trimEnd())
    .sort(),
});
