import { resolve } from 'node:path';
import { GoInt, type GoMap, goInt64, type Value } from '../../go/value.ts';
import type { Program } from '../../secrets/world.ts';
import { decryption } from '../../session/decryption.ts';
import { asGitUrl, isGitUrl } from '../../source/git/reference.ts';
import { shownUrl } from '../../source/http/shown-url.ts';
import { nodeWorld } from '../../stack/node-world.ts';
import { type OpenStack, openStack } from '../../stack/work/open-stack.ts';
import type { StackWorld } from '../../stack/world.ts';
import { TshelmError } from '../../support/errors.ts';
import { awaitOutsideWork } from '../../support/outside-work.ts';
import { goValues } from '../values.ts';
import type { GivenStack } from './given.ts';
import type { StackOptions } from './options.ts';

/** Reads the state files. Errors: `stack-invalid`, `stack-unsupported`, `stack-empty`, `secret-failed`. */
export function opened({ options, session, secrets, tell }: GivenStack): Promise<OpenStack> {
  const { folder = '.', file = '', environment = 'default', selectors = [], stateValues = {} } = options;
  const warn = (text: string): void => {
    const masked = secrets.redact(text);
    options.onWarning?.(masked);
    tell({ kind: 'warning', text: masked });
  };
  const cwd = resolve(folder);
  secrets.addValues(stateValues);
  const request = {
    file,
    environment,
    selectors,
    stateValuesFiles: options.stateValueFiles ?? [],
    stateValues: withIntegers(goValues(stateValues)),
    namespace: options.namespace ?? '',
    kubeContext: '',
    chart: '',
    kustomizeBinary: '',
  };
  const checkProgram = (command: string): void => {
    if (options.programs !== true) throw refused({ command, args: ['--decrypt'], cwd });
  };
  const decrypt = decryption({ env: session.environment, secrets, checkProgram });
  return openStack(request, {
    world: worldOf(options, session.environment, warn),
    cwd,
    learn: (secret) => secrets.addDecrypted(secret),
    outside: {
      fetch: async (url) => {
        checkGit(options, url, cwd);
        return awaitOutsideWork(session.sources.file(url, {}));
      },
      decrypt: (path, data) => awaitOutsideWork(decrypt(path, data)),
    },
  });
}

/** Integers are integers in helmfile's values, not floats as in Helm's. */
function withIntegers(values: GoMap): GoMap {
  const own = (value: Value): Value => {
    if (value instanceof Map) return withIntegers(value);
    if (Array.isArray(value)) return value.map(own);
    return Number.isSafeInteger(value) && !(value instanceof GoInt) ? goInt64(BigInt(value as number)) : value;
  };
  return new Map([...values].map(([key, value]): [string, Value] => [key, own(value)]));
}

/** The files of this machine, the variables that were given, and programs where they are allowed. */
function worldOf({ programs = false }: StackOptions, env: StackWorld['env'], warn: (text: string) => void): StackWorld {
  const machine = nodeWorld(env, warn);
  if (programs) return { ...machine, start: (program) => awaitOutsideWork(machine.start(program)) };
  return {
    ...machine,
    run: (program) => {
      throw refused(program);
    },
    start: async (program) => {
      throw refused(program);
    },
  };
}

/** git is a program that a state file would have run. Errors: `stack-programs`. */
export function checkGit({ programs }: StackOptions, url: string, cwd: string): void {
  if (programs !== true && isGitUrl(url))
    throw refused({ command: 'git', args: ['fetch', shownUrl(asGitUrl(url))], cwd });
}

const refused = ({ command, args }: Program): TshelmError =>
  new TshelmError('stack-programs', {
    message: `the program ${[command, ...args].join(' ')} was not started: the stack is not allowed to run programs; allow it with programs: true`,
    details: { program: command },
  });
