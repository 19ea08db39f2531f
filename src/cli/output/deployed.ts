import { coalesceValues } from '../../chart/coalesce.ts';
import type { Release } from '../../release/types.ts';
import type { CliContext } from '../context.ts';
import type { OutputFormat } from '../flag-option.ts';
import { withoutSecrets } from './debug-release.ts';
import { releaseOutput } from './release-output.ts';
import { isDryRun, releaseText } from './release-text.ts';

export interface DeployedFlags {
  readonly hideNotes?: boolean;
  readonly output: OutputFormat;
}

interface Manner extends Pick<CliContext, 'io' | 'secrets'> {
  /** --debug or HELM_DEBUG. */
  readonly isDebug: boolean;
}

/** What install and upgrade print at the end. */
export function writeRelease(release: Release, flags: DeployedFlags, { io, secrets, isDebug }: Manner): void {
  const mask = (text: string): string => secrets.redact(text, { isDocument: true });
  if (flags.output !== 'table') {
    io.stdout.write(releaseOutput(release, flags.output), 'data');
    return;
  }
  const everything = isDebug
    ? {
        suppliedValues: release.config,
        computedValues: coalesceValues({ ...release.chart, dependencies: [] }, release.config),
        mask,
      }
    : undefined;
  // A dry run is asked for the manifest; --debug alone is not.
  const shown = isDebug && !isDryRun(release) ? withoutSecrets(release, mask) : release;
  io.stdout.write(releaseText(shown, { hideNotes: flags.hideNotes, everything }));
}
