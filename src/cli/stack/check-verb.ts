import { resolve } from 'node:path';
import { checkFlags } from '../../actions/options/check.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { ValueOptions } from '../../chart/value-options.ts';
import type { needsFlags } from '../../stack/option-flags.ts';
import { releaseId } from '../../stack/releases.ts';
import { checkStack } from '../../stack/work/check.ts';
import type { ShownRelease } from '../../stack/work/template.ts';
import type { CliContext } from '../context.ts';
import { onDisk } from '../errors/chart-file.ts';
import { withPrefix } from '../errors/error-text.ts';
import type { CheckedChart } from '../output/check/checked.ts';
import { tellChecked } from '../output/check/output.ts';
import { givenObjects } from '../sources/given-objects.ts';
import { ignoreRules } from '../sources/ignore-file.ts';
import { shortPath } from '../terminal/short-path.ts';
import type { StackFlags } from './flags.ts';
import { placedInRelease, valuesOfLine } from './given-places.ts';
import { openReadOnlyRun } from './read-only-run.ts';
import type { stackCheckFlags } from './show-flags.ts';
import { clusterOf } from './template-verb.ts';

type CheckVerbFlags = StackFlags & FlagsOf<typeof needsFlags & typeof stackCheckFlags>;

/** What `check` finds in the charts of the releases with their values. A chart that fails does not keep the next ones from being looked at. */
export async function runStackCheck(flags: CheckVerbFlags, context: CliContext): Promise<void> {
  const { io, secrets } = context;
  const checking = {
    options: {
      ...optionsOf(checkFlags, flags),
      ...(await givenObjects(flags, { flags, access: {} }, context)),
      downloadSchema: async (url: string) =>
        (await import('../sources/sources.ts')).sourcesOf(flags, context).schema(url),
      now: io.now,
      secrets,
      signal: context.signal,
    },
    clusterOf: async (release: ShownRelease['release']) =>
      flags.cluster ? clusterOf(release, flags, context) : undefined,
    ignoreOf: (chart: string, cwd: string) => ignoreRules(flags.ignoreFile, chart, flags.ignoreFile ? io.cwd : cwd),
  };
  const checked: CheckedChart[] = [];
  await checkStack(await openReadOnlyRun('check', flags, context), checking, async (shown, check) => {
    const { path, result } = await check().catch((thrown) => {
      throw withPrefix(`release ${shown.release.name ?? ''} of ${shown.file.source}`, thrown);
    });
    checked.push(placedInStack({ shown, path, result, given: valuesOfLine(flags) }, context));
  });
  await tellChecked(checked, flags, context);
}

interface Found {
  readonly shown: ShownRelease;
  readonly path: string;
  readonly result: CheckedChart['result'];
  /** The values of the command line. */
  readonly given: ValueOptions;
}

/** With the files of values that the release and the command line name. */
function placedInStack({ shown, path, result, given }: Found, { io }: CliContext): CheckedChart {
  const { release, file } = shown;
  const { cwd } = file.place;
  const reference = path.startsWith('.') || path.startsWith('/') ? shortPath(resolve(cwd, path), io.cwd) : path;
  const findings = result.findings.map((finding) => ({
    ...finding,
    problem: placedInRelease(finding.problem, shown, { given, cwd: io.cwd }),
  }));
  return {
    reference,
    result: { ...result, findings },
    onDisk: onDisk(reference, io.cwd),
    release: { id: releaseId(release), at: shortPath(file.locate({ field: 'name', release: release.name }), io.cwd) },
  };
}
