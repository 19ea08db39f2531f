import { extension } from '../go/path.ts';
import { goPathError } from '../go/path-error.ts';
import { GoError } from '../go/value.ts';
import { trimSpace } from '../manifest/split.ts';
import { type ProgramEnd, runProgram } from '../render/post-renderer.ts';
import { compareText } from '../support/order.ts';
import { writeYamlPretty } from '../yaml/index.ts';
import { programPath } from './program-path.ts';
import type { TestRender } from './render.ts';
import type { PostRendererSettings } from './suite/types.ts';

/** What a test's assertions are about: what was rendered, or what the post-renderer of the test made of it. */
export interface PostRendered {
  readonly files: ReadonlyMap<string, string>;
  readonly failures: ReadonlyMap<string, string>;
  readonly isPostRendered: boolean;
  /** What decides how a file is read. */
  readonly extensionOf: (file: string) => string;
}

/** As in helm-unittest, a post-renderer gets what a render failed with too, as YAML. Throws GoError in its words. */
export async function postRendered(render: TestRender, settings?: PostRendererSettings): Promise<PostRendered> {
  const { files, failures, isRendered } = render;
  if (settings === undefined) return { files, failures, isPostRendered: false, extensionOf: extension };
  const failed = [...failures].map(([path, text]) => [path, writeYamlPretty(new Map([['raw', text]]))] as const);
  const output = await outputOf(settings, joinedFiles(isRendered ? files : new Map(failed)));
  const extensionOf = isRendered ? extension : () => '.yaml';
  return { files: splitFiles(output), failures: new Map(), isPostRendered: true, extensionOf };
}

/** What a post-renderer prints. Fails in the words of Helm 3. */
async function outputOf({ cmd, args }: PostRendererSettings, input: string): Promise<string> {
  const command = programPath(cmd);
  const { code, signal, output, errors } = await runProgram({ command, args }, input).catch((cause: unknown) => {
    throw failedProgram(command, '', goPathError('fork/exec', command, cause).message);
  });
  if (code === 0) return output;
  throw failedProgram(command, errors, signal === null ? `exit status ${code}` : `signal: ${goSignal(signal)}`);
}

const failedProgram = (command: string, errors: string, reason: string): GoError =>
  new GoError(`post-render failed: error while running command ${command}. error output:\n${errors}: ${reason}`);

/** Signals that end programs, as Go calls them. */
const goSignals: Readonly<Partial<Record<NodeJS.Signals, string>>> = {
  SIGHUP: 'hangup',
  SIGINT: 'interrupt',
  SIGQUIT: 'quit',
  SIGILL: 'illegal instruction',
  SIGABRT: 'aborted',
  SIGBUS: 'bus error',
  SIGFPE: 'floating point exception',
  SIGKILL: 'killed',
  SIGSEGV: 'segmentation fault',
  SIGPIPE: 'broken pipe',
  SIGALRM: 'alarm clock',
  SIGTERM: 'terminated',
};

const goSignal = (signal: NonNullable<ProgramEnd['signal']>): string => goSignals[signal] ?? signal;

const fileKey = '#### file:';
const fileSeparator = `---\n${fileKey}`;

/** All files as one text for a post-renderer, each behind a comment with its path, in the order of their paths. */
const joinedFiles = (files: ReadonlyMap<string, string>): string =>
  [...files]
    .sort(([a], [b]) => compareText(a, b))
    .map(([path, text]) => `${fileSeparator} ${path}\n${trimSpace(text)}\n`)
    .join('');

/** The files by their comments again; `manifest.yaml` is everything where no comment is left. */
function splitFiles(text: string): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const block of blocksOf(text)) {
    const at = block.indexOf(`${fileKey} `);
    if (at < 0) continue;
    const lineEnd = block.indexOf('\n', at);
    const comment = block.slice(at, lineEnd < 0 ? undefined : lineEnd);
    const opening = `---\n${comment}\n`;
    files.set(comment.slice(fileKey.length + 1), block.startsWith(opening) ? block.slice(opening.length) : block);
  }
  return files.size > 0 ? files : new Map([['manifest.yaml', text]]);
}

function blocksOf(text: string): string[] {
  const blocks: string[] = [];
  let start = 0;
  for (let at = text.indexOf(fileSeparator, 1); at >= 0; at = text.indexOf(fileSeparator, start + 1)) {
    blocks.push(text.slice(start, at));
    start = at;
  }
  return [...blocks, text.slice(start)];
}
