import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname, userInfo } from 'node:os';

/** Who works on a release, as others are told. */
export interface Holder {
  /** No two runs have the same: `ada@build-7 pid 4711 9f2c41d0`. */
  readonly identity: string;
  /** The page of the CI job that it runs in. */
  readonly job?: string | undefined;
  /** Names the process among all those of its machine's boot: `MACHINE/PID/START`. Only where that can be told (Linux). */
  readonly process?: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** This process. */
export const thisHolder = (env: Environment): Holder => ({
  identity: `${userName(env)}@${hostname()} pid ${process.pid} ${randomBytes(4).toString('hex')}`,
  job: jobUrl(env),
  process: ownMark(),
});

/** `ada@build-7 (pid 4711, https://ci.example/jobs/1)` */
export function holderText({ identity, job }: Pick<Holder, 'identity' | 'job'>): string {
  const [who = '', pid] = identity.split(' pid ');
  const facts = [...(pid === undefined ? [] : [`pid ${pid.split(' ')[0]}`]), ...(job === undefined ? [] : [job])];
  return facts.length === 0 ? who : `${who} (${facts.join(', ')})`;
}

function userName(env: Environment): string {
  try {
    const { username, uid } = userInfo();
    // Bun asks $USER alone, and says this where it is not set.
    return username === 'unknown' ? nameInPasswordFile(uid) : username;
  } catch {
    // A container may run as a user that its password file does not know.
    return env['USER'] || `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

function nameInPasswordFile(uid: number): string {
  const entries = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [name] = entries.find(([, , id]) => id === String(uid)) ?? [];
  if (!name) throw new Error(`no user has the ID ${uid}`);
  return name;
}

/** The page of the CI job, where the CI tells it. */
function jobUrl(env: Environment): string | undefined {
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository, GITHUB_RUN_ID: run } = env;
  if (server && repository && run) return `${server}/${repository}/actions/runs/${run}`;
  const known = ['CI_JOB_URL', 'BUILD_URL', 'CIRCLE_BUILD_URL', 'BUILDKITE_BUILD_URL', 'CI_PIPELINE_URL'];
  return known.map((name) => env[name]).find((url) => url);
}

/**
 * Whether the process of a mark still runs; undefined where that cannot be told from here: another machine, another
 * boot, a container with processes of its own.
 */
export function isRunning(mark: string | undefined): boolean | undefined {
  const [machine, pid = '', start] = mark?.split('/') ?? [];
  if (machine === undefined || machine !== thisMachine()) return undefined;
  try {
    process.kill(Number(pid), 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const now = startOf(Number(pid));
  return now === undefined || now === start;
}

let own: { readonly mark: string | undefined } | undefined;

/** Looked for once: a run over many releases holds as many locks. */
function ownMark(): string | undefined {
  own ??= { mark: processMark(process.pid) };
  return own.mark;
}

function processMark(pid: number): string | undefined {
  const machine = thisMachine();
  const start = startOf(pid);
  return machine === undefined || start === undefined ? undefined : `${machine}/${pid}/${start}`;
}

/** The boot of this machine and its space of process numbers, hashed: host names are no proof, containers share them. */
function thisMachine(): string | undefined {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return createHash('sha256')
      .update(`${boot} ${readlinkSync('/proc/self/ns/pid')}`)
      .digest('hex')
      .slice(0, 16);
  } catch {
    // No Linux, or /proc is hidden: then no lock is taken over on this evidence.
    return undefined;
  }
}

/** When a process began, in the kernel's ticks: a number that is used again belongs to another process. */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold anything; the 20th field behind it is the start (proc(5), field 22).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not looked yet.
    return fields[0] === 'Z' ? 'ended' : fields[19];
  } catch {
    // The process has ended, or /proc is hidden.
    return undefined;
  }
}
