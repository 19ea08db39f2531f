import { relative, resolve } from 'node:path';
import { checkFlags } from '../../actions/options/check.ts';
import { type FlagsOf, optionsOf } from '../../change/option-rows.ts';
import type { needsFlags } from '../../stack/option-flags.ts';
import { releaseId } from '../../stack/releases.ts';
import { checkStack } from '../../stack/work/check.ts';
import type { ShownRelease } from '../../stack/work/template.ts';
import type { GivenAt } from '../../words/problem.ts';
import type { CliContext } from '../context.ts';
import { onDisk } from '../errors/chart-file.ts';
import { withPrefix } from '../errors/error-text.ts';
import { givenAt, hasKeys, withGivenPlace } from '../errors/given-values.ts';
import type { CheckedChart } from '../output/check/checked.ts';
import { tellChecked } from '../output/check/output.ts';
import { ignoreRules } from '../sources/ignore-file.ts';
import type { StackFlags } from './flags.ts';
import { lookingAt } from './looking.ts';
import type { stackCheckFlags } from './show-flags.ts';
import { clusterOf } from './template-verb.ts';

type CheckVerbFlags = StackFlags & FlagsOf<typeof needsFlags & typeof stackCheckFlags>;

/** What `check` finds in the charts of the releases with their values. A chart that fails does not keep the next ones from being looked at. */
export async function runStackCheck(flags: CheckVerbFlags, context: CliContext): Promise<void> {
  const { io, secrets } = context;
  const checking = {
    options: {
      ...optionsOf(checkFlags, flags),
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
  await checkStack(await lookingAt('check', flags, context), checking, async (shown, check) => {
    const { path, result } = await check().catch((thrown) => {
      throw withPrefix(`release ${shown.release.name ?? ''} of ${shown.file.source}`, thrown);
    });
    checked.push(placedInStack({ shown, path, result, given: flags.values }, context));
  });
  await tellChecked(checked, flags, context);
}

interface Found {
  readonly shown: ShownRelease;
  readonly path: string;
  readonly result: CheckedChart['result'];
  /** Files of values of the command line. */
  readonly given: readonly string[];
}

/** With the files of values that the release and the command line name. */
function placedInStack({ shown, path, result, given }: Found, { io }: CliContext): CheckedChart {
  const { release, file } = shown;
  const { cwd } = file.place;
  const own = (release.values ?? []).flatMap((one) => (typeof one === 'string' ? [resolve(cwd, one)] : []));
  const reference = path.startsWith('.') || path.startsWith('/') ? resolve(cwd, path) : path;
  const findings = result.findings.map((finding) => ({
    ...finding,
    problem: withGivenPlace(finding.problem, { valueFiles: [...own, ...given] }, (keys) =>
      givenInStack(keys, shown, given),
    ),
  }));
  return {
    reference,
    result: { ...result, findings },
    onDisk: onDisk(reference, io.cwd),
    release: { id: releaseId(release), at: relative(io.cwd, file.locate({ field: 'name', release: release.name })) },
  };
}

/** The last of what gives a value: files of the command line, then the state file's `set`, and its files and maps of values. */
function givenInStack(
  keys: readonly string[],
  { release, file }: ShownRelease,
  valueFiles: readonly string[],
): GivenAt | undefined {
  const name = keys.join('.');
  const lineOf = (entry: Parameters<typeof file.locate>[0]): GivenAt | undefined => {
    const [, path, line] = /^(.*):(\d+)$/.exec(file.locate({ ...entry, release: release.name })) ?? [];
    return path === undefined ? undefined : { file: path, line: Number(line) };
  };
  const given = givenAt(keys, { valueFiles });
  if (given !== undefined) return given;
  for (const field of ['setString', 'set'] as const)
    if (release[field]?.some((one) => one.name === name)) return lineOf({ field, text: name });
  for (const one of release.values?.toReversed() ?? []) {
    if (typeof one !== 'string' && hasKeys(one, keys)) return lineOf({ field: 'values', keys });
    const found = typeof one === 'string' ? givenAt(keys, { valueFiles: [resolve(file.place.cwd, one)] }) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
