import { resolve } from 'node:path';
import { GoError } from '../../go/value.ts';
import type { Program } from '../../secrets/world.ts';
import { causesOf, hasCode } from '../../support/errors.ts';
import { chartFolder } from '../chart-reference.ts';
import { isChartless } from '../folder-chart.ts';
import type { StackNode } from '../plan-stack.ts';
import { postRendererNameOf } from '../post-renderer-name.ts';
import type { Reading } from '../reading.ts';
import { releaseValues } from '../release-values.ts';
import type { HookSpec } from '../schema.ts';
import { refusedBy } from '../untrusted.ts';
import type { StackWorld } from '../world.ts';

/** What jobs on other machines have to be given. */
export interface Supplies {
  /** Variables that the state files read. */
  readonly variables: readonly string[];
  /** Programs that hooks, templates, secrets and post-renderers run. */
  readonly programs: readonly string[];
  /** Contexts of the kubeconfig, by name. */
  readonly contexts: readonly string[];
}

/** A machine that notes down what it is asked for. */
export class NotingWorld {
  readonly variables = new Set<string>();
  readonly programs = new Set<string>();
  /** Whether programs run, as they have to while the state files are read. */
  runs = true;

  recording(world: StackWorld): StackWorld {
    const env = new Proxy(world.env, {
      get: (target, name) => {
        if (typeof name === 'string' && !/^(?:HELMFILE|TSHELM)_/.test(name)) this.variables.add(name);
        return Reflect.get(target, name) as string | undefined;
      },
    });
    const noted = (program: Program): Program => {
      this.programs.add(program.command);
      if (!this.runs) throw new GoError(`an export does not run programs (${program.command})`);
      return program;
    };
    return {
      ...world,
      env,
      run: (program) => world.run(noted(program)),
      start: async (program) => world.start(noted(program)),
    };
  }
}

/**
 * What the releases need beside the files. Their values are read to find out, as far as that is possible here. Errors:
 * `stack-untrusted` where they need programs, and the state files are somebody else's.
 */
export function suppliesOf(nodes: readonly StackNode[], reading: Reading, noting: NotingWorld): Supplies {
  noting.runs = false;
  for (const node of nodes) noteProgramsOf(node, reading, noting);
  for (const file of new Set(nodes.map((node) => node.file)))
    noteHooks(file.spec.hooks ?? [], file.locate({ field: 'hooks' }), reading, noting);
  for (const { release, file } of nodes) {
    for (const { name = '' } of file.spec.repositories ?? []) noteCredentials(name, reading, noting);
    try {
      releaseValues(release, file, reading);
    } catch (error) {
      const refused = [...causesOf(error)].find((cause) => hasCode(cause, 'stack-untrusted'));
      if (refused !== undefined) throw error;
    }
  }
  const contexts = nodes.flatMap(({ release: { kubeContext } }) => kubeContext || []);
  const sorted = (texts: Iterable<string>): readonly string[] => [...new Set(texts)].sort();
  return {
    variables: sorted(noting.variables),
    programs: sorted(noting.programs),
    contexts: sorted(contexts),
  };
}

function noteProgramsOf({ release, file }: StackNode, reading: Reading, noting: NotingWorld): void {
  const { name, hooks = [], secrets = [], transformers = [] } = release;
  const at = (field: string): string => file.locate({ field, release: name });
  noteHooks(hooks, at('hooks'), reading, noting);
  const program = postRendererNameOf(release, file, reading)?.program;
  if (program !== undefined) note(program, `${at('postRenderer')}: the postRenderer`, reading, noting);
  if (secrets.length > 0) note('sops', `${at('secrets')}: secrets`, reading, noting);
  const folder = chartFolder(release, file, reading);
  if (transformers.length > 0 || (folder !== undefined && isChartless(resolve(file.place.cwd, folder), reading)))
    note(file.spec.kustomizeBinary ?? 'kustomize', `${at('chart')}: the chart`, reading, noting);
}

function noteHooks(hooks: readonly HookSpec[], at: string, reading: Reading, noting: NotingWorld): void {
  for (const { events = [], kubectlApply, command = '', name = command } of hooks) {
    if (events.length === 0) continue;
    note(kubectlApply === undefined ? command : 'kubectl', `${at}: the hook ${JSON.stringify(name)}`, reading, noting);
  }
}

function note(program: string, what: string, { world }: Reading, { programs }: NotingWorld): void {
  if (world.untrusted !== undefined) throw refusedBy(`${what} runs the program ${program}`);
  programs.add(program);
}

/** Those of a repository have names of their own, and are needed where they are set. */
function noteCredentials(repository: string, { world: { env } }: Reading, { variables }: NotingWorld): void {
  const prefix = repository.toUpperCase().replaceAll('-', '_');
  for (const name of [`${prefix}_USERNAME`, `${prefix}_PASSWORD`]) if (name in env) variables.add(name);
}
