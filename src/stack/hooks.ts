import { GoStruct } from '../go/struct.ts';
import { GoError, type Value, withGoType } from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { environmentObject } from './environment.ts';
import type { StackFile } from './read-stack.ts';
import { absolute, type Reading } from './reading.ts';
import type { HookSpec, ReleaseSpec } from './schema.ts';
import { refusedBy } from './untrusted.ts';

export type HookEventName =
  | 'prepare'
  | 'preapply'
  | 'presync'
  | 'postsync'
  | 'preuninstall'
  | 'postuninstall'
  | 'cleanup';

export interface HookRun {
  readonly event: HookEventName;
  /** `sync`, `apply`, …: what the user asked for, as `.HelmfileCommand`. */
  readonly command: string;
  /** The release that it is about; undefined for the hooks of the file. */
  readonly release?: ReleaseSpec | undefined;
  readonly error?: unknown;
}

/** Runs the hooks of a release, or of the file, for an event, one after another. Fails with `stack-hook-failed`. */
export async function runHooks(
  run: HookRun,
  file: StackFile,
  reading: Reading,
  tell: (text: string) => void,
): Promise<void> {
  const hooks = (run.release === undefined ? file.spec.hooks : run.release.hooks) ?? [];
  for (const hook of hooks) if (hook.events?.includes(run.event)) await runHook(hook, run, { file, reading, tell });
}

interface HookContext {
  readonly file: StackFile;
  readonly reading: Reading;
  readonly tell: (text: string) => void;
}

async function runHook(given: HookSpec, run: HookRun, { file, reading, tell }: HookContext): Promise<void> {
  const name = given.name ?? (given.kubectlApply === undefined ? given.command : 'kubectlApply') ?? '';
  const fail = (why: string, cause?: unknown): TshelmError =>
    new TshelmError('stack-hook-failed', { message: `hook[${name}]: ${why}`, details: { hook: name }, cause });
  const { command = '', args = [] } =
    given.kubectlApply === undefined ? given : kubectlCommand(given.kubectlApply, fail);
  if (reading.world.untrusted !== undefined) {
    const at = file.locate({ field: 'hooks', release: run.release?.name });
    throw refusedBy(`${at}: the hook ${JSON.stringify(name)} for ${run.event} runs the program ${command}`);
  }
  const cwd = absolute(file.place, file.place.base);
  const renderer = reading.renderers.in(cwd);
  const data = dataOf(run, file);
  try {
    const program = renderer.render(command, data);
    const words = args.map((arg) => renderer.render(arg, data));
    const output = await reading.world.start({ command: program, args: words, cwd });
    if (given.showlogs) tell(output.replace(/^/gm, `hook[${run.event}] logs | `));
  } catch (cause) {
    throw fail(
      cause instanceof GoError ? `command \`${command}\` failed: ${messageOf(cause)}` : messageOf(cause),
      cause,
    );
  }
}

function kubectlCommand(apply: ReadonlyMap<string, string>, fail: (why: string) => TshelmError): HookSpec {
  const [filename, kustomize] = [apply.get('filename'), apply.get('kustomize')];
  if (filename !== undefined && kustomize !== undefined) throw fail('kustomize & filename cannot be used together');
  if (filename !== undefined) return { command: 'kubectl', args: ['apply', '-f', filename] };
  if (kustomize !== undefined) return { command: 'kubectl', args: ['apply', '-k', kustomize] };
  throw fail('either kustomize or filename must be given');
}

/** What a hook's templates see. */
function dataOf({ event, command, release, error }: HookRun, file: StackFile): Value {
  const { environment, spec, values } = file;
  const data: [string, Value][] = [
    ['Environment', environmentObject(environment)],
    ['Namespace', spec.namespace ?? ''],
    [
      'Event',
      new GoStruct('event.event', [
        ['Name', event],
        ['Error', error === undefined ? null : messageOf(error)],
      ]),
    ],
    ['HelmfileCommand', command],
  ];
  if (release !== undefined) data.push(['Values', values], ['Release', releaseStruct(release)]);
  return new Map(data);
}

/** A release as templates of hooks and file names see it: helmfile's ReleaseSpec. */
export const releaseStruct = (release: ReleaseSpec): GoStruct =>
  new GoStruct('*state.ReleaseSpec', [
    ['Name', release.name ?? ''],
    ['Namespace', release.namespace ?? ''],
    ['Chart', release.chart ?? ''],
    ['ChartPath', release.chartPath ?? ''],
    ['Version', release.version ?? ''],
    ['Labels', withGoType(new Map<string, Value>(release.labels), 'map[string]string')],
    ['KubeContext', release.kubeContext ?? ''],
    ['Installed', release.installed ?? null],
    ['Description', release.description ?? ''],
  ]);
