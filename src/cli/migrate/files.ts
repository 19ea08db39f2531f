import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { goPathError } from '../../go/path-error.ts';
import { messageOf, TshelmError } from '../../support/errors.ts';
import { compareText } from '../../support/order.ts';

const scripts =
  /^(?:.*\.(?:sh|bash|zsh|ya?ml|mk|just|groovy|envrc|env|bats|(?<!\.md\.)gotmpl)|(?:GNU)?[Mm]akefile.*|(?:Dockerfile|Containerfile|Jenkinsfile|Taskfile).*|justfile|\.envrc|\.env)$/;
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules', 'vendor']);
const maxBytes = 1024 * 1024;

/**
 * The files that are read below a path: scripts and YAML by their names, in order; a path that is a file is read whatever
 * its name is. Links are not followed, the templates of charts are left out. Errors: `bad-arguments` for what is not there.
 */
export function scriptsBelow(path: string): readonly string[] {
  if (!statOf(path).isDirectory()) return [path];
  const entries = readdirSync(path, { withFileTypes: true }).sort((a, b) => compareText(a.name, b.name));
  const isChart = entries.some(({ name }) => name === 'Chart.yaml');
  return entries.flatMap((entry): readonly string[] => {
    const file = join(path, entry.name);
    if (entry.isDirectory())
      return skipped.has(entry.name) || (isChart && entry.name === 'templates') ? [] : scriptsBelow(file);
    return entry.isFile() && scripts.test(entry.name) && statOf(file).size <= maxBytes ? [file] : [];
  });
}

/** Whether helmfile reads it as a state. */
export const isState = (path: string): boolean =>
  /^helmfile.*\.ya?ml(?:\.gotmpl)?$/.test(basename(path)) || /(?:^|[/\\])helmfile\.d[/\\]/.test(path);

export const textOf = (path: string): string => readFileSync(path, 'utf8');

function statOf(path: string) {
  try {
    return lstatSync(path);
  } catch (cause) {
    throw new TshelmError('bad-arguments', { message: messageOf(goPathError('open', path, cause)), cause });
  }
}
