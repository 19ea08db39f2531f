import { learnFromRecordedTemplates } from '../../change/learn-secrets.ts';
import type { OutputFormat } from '../../change/option-rows.ts';
import { coalesceValues } from '../../chart/coalesce.ts';
import type { Release } from '../../release/types.ts';
import type { CliContext } from '../context.ts';
import type { Settings } from '../settings.ts';
import { helmColors } from './helm-colors.ts';
import { releaseOutput } from './release-output.ts';
import { isDryRun, releaseText } from './release-text.ts';

export interface DeployedFlags {
  readonly hideNotes?: boolean;
  readonly output: OutputFormat;
}

interface Manner extends Pick<CliContext, 'io' | 'secrets'> {
  readonly settings: Pick<Settings, 'debug' | 'color'>;
}

/** What install and upgrade print at the end. */
export function writeRelease(release: Release, flags: DeployedFlags, { io, secrets, settings }: Manner): void {
  const mask = (text: string): string => secrets.redact(text, { isDocument: true });
  if (flags.output !== 'table') {
    io.stdout.write(releaseOutput(release, flags.output), 'data');
    return;
  }
  if (settings.debug) learnFromRecordedTemplates(release, secrets);
  const everything = settings.debug
    ? {
        suppliedValues: release.config,
        computedValues: coalesceValues({ ...release.chart, dependencies: [] }, release.config),
        mask,
      }
    : undefined;
  // A dry run is asked for the manifest; --debug alone is not.
  const shown = settings.debug && !isDryRun(release) ? withoutSecrets(release, mask) : release;
  const colors = helmColors(settings, io);
  io.stdout.write(releaseText(shown, { hideNotes: flags.hideNotes, everything, colors, io }), colors.kind);
}

const suppressed = '# HIDDEN: The Secret output has been suppressed\n';

/** A release as --debug may tell of it beside the result: without its Secrets, in Helm's words for --hide-secret, and masked. */
const withoutSecrets = (release: Release, mask: (text: string) => string): Release => ({
  ...release,
  manifest: release.manifest
    .split(/^(?=---\n)/m)
    .map((document) => (isSecret(document) ? `${sourceOf(document)}${suppressed}` : mask(document)))
    .join(''),
  hooks: release.hooks.map((hook) => ({
    ...hook,
    manifest: hook.kind === 'Secret' ? suppressed.trimEnd() : mask(hook.manifest),
  })),
});

const isSecret = (document: string): boolean =>
  /^["']?kind["']?:\s*["']?Secret(?:List)?\b/m.test(document) || /"kind":\s*"Secret(?:List)?"/.test(document);
const sourceOf = (document: string): string => /^---\n(?:# Source: .*\n)?/.exec(document)?.[0] ?? '';
