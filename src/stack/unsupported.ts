import { isGitUrl } from '../source/git/reference.ts';
import { TshelmError } from '../support/errors.ts';
import { splitOnce } from '../support/text.ts';
import type { StackFile } from './read-stack.ts';
import { isRemote } from './reading.ts';
import type { HelmDefaults, ReleaseSpec } from './schema.ts';

/** What is only about the change of a cluster does not keep a release from being rendered. */
type Purpose = 'render' | 'deploy';

type Use<Data> = readonly [
  field: string,
  isUsed: (data: Data) => boolean,
  instead: string,
  of?: Purpose,
  what?: string,
];

const isFilled = (list: readonly unknown[] | undefined): boolean => (list?.length ?? 0) > 0;
const isFetched = ({ chart = '' }: { readonly chart?: string | undefined }): boolean =>
  isRemote(chart) && !isGitUrl(chart) && !['oci', 'http', 'https'].includes(splitOnce(chart, ':')[0]);
const isAddress = (chart: string): boolean => isGitUrl(chart) || /^https?:\/\//i.test(chart);
const isAnyFetched = ({ dependencies = [] }: ReleaseSpec): boolean => dependencies.some(isFetched);

/** Helm 3 and 4 have no such flag: helmfile fails at it too. */
const recreatesPods: Use<ReleaseSpec | HelmDefaults> = [
  'recreatePods',
  ({ recreatePods }) => recreatePods === true,
  'Helm has no such flag; use a pod annotation that changes with every deployment, such as a checksum',
  'deploy',
];

/** What a release may say that tshelm does not do, and what to do instead. */
const ofRelease: readonly Use<ReleaseSpec>[] = [
  ['dependencies', isAnyFetched, 'download their charts and use the folders as chart'],
  ['adopt', ({ adopt }) => isFilled(adopt), 'Helm has no such flag; use takeOwnership', 'deploy'],
  [
    'secrets',
    ({ secrets = [] }) => secrets.some((one) => typeof one !== 'string'),
    'put it in a file, encrypt the file with sops, and list the file under secrets',
    'render',
    'a map among secrets',
  ],
  [
    'forceGoGetter',
    // As in helmfile, it counts for addresses; what go-getter fetches from elsewhere is refused as `chart`.
    ({ forceGoGetter, chart = '' }) => forceGoGetter === true && !isFetched({ chart }) && !isAddress(chart),
    'remove it for a chart in a folder, a registry, or a repository; write the chart as git::https://HOST/REPOSITORY@PATH?ref=REF or as the URL of an archive',
  ],
  ['chart', isFetched, 'use git::, https:// or oci://, or download it and set chart to its folder'],
  recreatesPods,
];

const ofDefaults: readonly Use<HelmDefaults>[] = [recreatesPods];

/** A release of a file, and what is to be done with it. */
interface Wanted {
  readonly release: ReleaseSpec;
  readonly file: StackFile;
  readonly purpose: Purpose;
}

/** Fails with `stack-unsupported` where a release uses what tshelm does not do: nothing that counts is passed over. */
export function refuseUnsupported({ release, file, purpose }: Wanted): void {
  const counts = ([, , , of = 'render']: Use<never>): boolean => of === 'render' || purpose === 'deploy';
  const found = ofRelease.filter(counts).find(([, isUsed]) => isUsed(release));
  const ofState = ofDefaults.filter(counts).find(([, isUsed]) => isUsed(file.spec.helmDefaults ?? {}));
  const [field, , instead, , what = field] = found ?? ofState ?? [];
  if (field === undefined) return;
  const where = found === undefined ? `helmDefaults.${what}` : `release ${release.name ?? ''}: ${what}`;
  const at = file.locate(found === undefined ? { field, part: 'helmDefaults' } : { field, release: release.name });
  throw new TshelmError('stack-unsupported', {
    message: `${at}: ${where} is not supported; ${instead}`,
    details: { file: file.source },
  });
}
