/** What runs another program: flags that take a word, and how many words precede the command. */
interface Runner {
  readonly flags?: readonly string[];
  readonly words?: number;
}

const flagsOf = (text: string): readonly string[] => text.split(' ');

const runners: Readonly<Record<string, Runner | undefined>> = {
  __proto__: null as never,
  sudo: { flags: flagsOf('-u -g -h -p -C -D -R -T -U --user --group --host --prompt --chdir') },
  doas: { flags: flagsOf('-u -C') },
  env: { flags: flagsOf('-u -C -S --unset --chdir') },
  nice: { flags: flagsOf('-n') },
  time: { flags: flagsOf('-f -o') },
  exec: { flags: flagsOf('-a') },
  xargs: { flags: flagsOf('-I -n -P -L -d -E -s -a --max-args --max-procs --delimiter --arg-file') },
  timeout: { flags: flagsOf('-k -s --kill-after --signal'), words: 1 },
  command: {},
  nohup: {},
  eval: {},
};

const ssh: Runner = {
  flags: flagsOf('-B -b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w'),
  words: 1,
};

/** Where the command begins that a runner at this place runs; undefined for what is no runner. */
export function commandAfterRunner(words: readonly string[], at: number): number | undefined {
  const runner = runners[words[at] ?? ''];
  return runner && behind(words, at, runner);
}

/** What ssh gives to the shell of another machine: all words behind the host. */
export const remoteScript = (words: readonly string[]): string | undefined =>
  words[0] === 'ssh' ? words.slice(behind(words, 0, ssh)).join(' ') : undefined;

function behind(words: readonly string[], start: number, { flags = [], words: count = 0 }: Runner): number {
  let at = start + 1;
  while (words[at]?.startsWith('-')) at += flags.includes(words[at] as string) ? 2 : 1;
  return at + count;
}

const engines: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl', 'kubectl', 'oc']);
const helmImage = /(?:^|\/)alpine\/helm(?:[:@][^\s]*)?$/;

/** The words that run in a container (`docker run alpine/helm list`): from the program on, which may be that of the image. */
export function inContainer(words: readonly string[], isProgram: (word: string) => boolean): readonly string[] {
  const verb = words.findIndex((word, index) => index > 0 && (word === 'run' || word === 'exec'));
  if (!engines.has(words[0] ?? '') || verb < 0) return [];
  const image = words.findIndex((word, index) => index > verb && helmImage.test(word));
  const program = words.findIndex(
    (word, index) => index > Math.max(verb, image) && isProgram(word) && !takesWord(words[index - 1] ?? ''),
  );
  if (program >= 0) return words.slice(program);
  return image < 0 ? [] : [entrypointIn(words), ...words.slice(image + 1)];
}

/** The program of the image, or what takes its place: `--entrypoint sh`. */
function entrypointIn(words: readonly string[]): string {
  const at = words.findIndex((word) => /^--entrypoint(?:=|$)/.test(word));
  return (at < 0 ? undefined : (words[at]?.split('=')[1] ?? words[at + 1])) || 'helm';
}

/** `docker run --name helm`, `kubectl exec -c helm` */
const takesWord = (word: string): boolean =>
  ['--name', '--container', '-c', '--network', '--hostname', '-h', '--entrypoint', '-n', '--namespace'].includes(word);
