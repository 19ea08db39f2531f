import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { TshelmError } from '../../support/errors.ts';
import type { Settings } from '../settings.ts';
import { type Io, isOnGithub } from '../terminal/io.ts';
import { paintFor } from '../terminal/paint.ts';
import type { BuildMarks } from './build-marks.ts';
import { type Display, DisplayReporter } from './display.ts';
import { PlainDisplay } from './plain.ts';
import { quietReporter, type Reporter } from './reporter.ts';
import type { ProgressMode, ProgressRequest } from './request.ts';
import type { Style } from './style.ts';

/** The reporter that the flags and the surroundings ask for; `onBegin` is called when a run begins. Errors: `bad-flag`. */
export async function openReporter(
  request: ProgressRequest,
  settings: Settings,
  io: Io,
  onBegin: () => void,
): Promise<Reporter> {
  const displays = await openDisplays(request, settings, io);
  return new DisplayReporter([{ begin: onBegin }, ...displays], () => io.now().getTime());
}

/** The displays that the flags and the surroundings ask for. Errors: `bad-flag`. */
export async function openDisplays(request: ProgressRequest, settings: Settings, io: Io): Promise<readonly Display[]> {
  const shown = await shownDisplay(request, settings, io);
  return [shown, ...(await fileDisplays(request, shown, io))];
}

async function shownDisplay(request: ProgressRequest, settings: Settings, io: Io): Promise<Display> {
  const nowMs = (): number => io.now().getTime();
  switch (shownMode(request, settings, io)) {
    case 'json': {
      const { JsonDisplay } = await import('./json.ts');
      return new JsonDisplay(io.stderr, io.now);
    }
    case 'tty': {
      const { TtyDisplay } = await import('./tty.ts');
      return new TtyDisplay(io.stderr, nowMs, await styleFor(settings, io), io.echo?.());
    }
    case 'plain':
      return new PlainDisplay(io.stderr, nowMs, { marks: await buildMarks(io), isVerbose: settings.debug });
    case 'none': {
      const { onEvent, tell } = quietReporter(io.stderr);
      return { show: onEvent, tell };
    }
    case 'warnings': {
      const { onEvent, tell } = quietReporter(io.stderr);
      return { show: (event) => void (event.kind === 'warning' && onEvent(event)), tell };
    }
  }
}

type ShownMode = Exclude<ProgressMode, 'auto'> | 'warnings';

function shownMode({ mode, isShown, isQuiet }: ProgressRequest, settings: Settings, io: Io): ShownMode {
  if (isQuiet) return 'warnings';
  return mode === 'auto' ? automaticMode(isShown, settings, io) : mode;
}

/** A tree where somebody looks at a terminal; lines in pipes and builds, and among the lines of --debug. */
function automaticMode(isShown: boolean, settings: Settings, io: Io): Exclude<ProgressMode, 'auto'> {
  if (!isShown) return 'none';
  const isDumb = io.env['TERM'] === 'dumb';
  return io.stderr.isTerminal && !isDumb && !settings.debug && !io.env['CI'] ? 'tty' : 'plain';
}

async function buildMarks(io: Io): Promise<BuildMarks | undefined> {
  if (isOnGithub(io.env)) {
    const { GithubMarks } = await import('./github.ts');
    return new GithubMarks(io);
  }
  if (io.env['GITLAB_CI'] !== 'true') return undefined;
  const { GitlabMarks } = await import('./gitlab.ts');
  return new GitlabMarks();
}

/** The files and servers that a run is told to: `--junit`, GitHub's page, `--otel`. Errors: `bad-flag`. */
async function fileDisplays(
  { junit, otel, isShown }: ProgressRequest,
  shown: Display,
  io: Io,
): Promise<readonly Display[]> {
  const summary = io.env['GITHUB_STEP_SUMMARY'];
  const warn = (text: string): void => shown.tell?.(text);
  const displays: Display[] = [];
  if (junit) {
    const { junitFile } = await import('./junit.ts');
    displays.push(junitFile(checkedFile(resolve(io.cwd, junit)), { cwd: io.cwd, warn }));
  }
  if (isOnGithub(io.env) && isShown && summary) {
    const { jobSummary } = await import('./summary.ts');
    displays.push(jobSummary(summary, warn));
  }
  if (otel) displays.push(await telemetryDisplay(io.env, warn));
  return displays;
}

async function telemetryDisplay(env: Io['env'], warn: (text: string) => void): Promise<Display> {
  const { otelSettings } = await import('./otel/settings.ts');
  const { otelDisplay } = await import('./otel/display.ts');
  const settings = otelSettings(env);
  return otelDisplay(settings, async (telemetry) => {
    const { deliverTelemetry } = await import('./otel/deliver.ts');
    await deliverTelemetry(telemetry, settings, { env, warn });
  });
}

/** A file that can be written: it is better to know before the deploy. */
function checkedFile(file: string): string {
  const folder = dirname(file);
  if (existsSync(folder) && !statSync(file, { throwIfNoEntry: false })?.isDirectory()) return file;
  const message = `--junit ${file}: ${existsSync(folder) ? 'it is a folder' : `there is no folder ${folder}`}`;
  throw new TshelmError('bad-flag', { message });
}

async function styleFor(settings: Settings, io: Io): Promise<Style> {
  const { asciiMarks, unicodeMarks } = await import('./style.ts');
  const { hasUnicode } = await import('../terminal/fit.ts');
  return { paint: await paintFor(settings, io.stderr), marks: hasUnicode(io.env) ? unicodeMarks : asciiMarks };
}
