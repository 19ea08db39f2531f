import type { Spared } from '../../execute/remove.ts';
import type { Manifest } from '../../manifest/types.ts';
import { sortByResourcePolicy } from '../../plan/keep.ts';

/** What Helm prints about resources that an uninstall leaves; '' when it leaves none. */
export const leftText = (manifests: readonly Manifest[], spared: readonly Spared[]): string =>
  [keptText(sortByResourcePolicy(manifests).kept), ...sparedTexts(spared)].filter((text) => text !== '').join('\n');

/** Helm's text about resources that `helm.sh/resource-policy: keep` protects. */
const keptText = (kept: readonly Manifest[]): string =>
  kept.length === 0
    ? ''
    : `These resources were kept due to the resource policy:\n${kept
        .map(({ object }) => `[${object.kind}] ${object.metadata.name}\n`)
        .join('')}`;

/** Helm's texts about resources that were not deleted because of whose they are. */
function sparedTexts(spared: readonly Spared[]): readonly string[] {
  const notOwned = spared.filter(({ why }) => why === 'not-owned');
  const unknown = spared.filter(({ why }) => why === 'ownership-unknown');
  return [
    listText(notOwned, 'they are not owned by this release', ({ id }) => `[${id.kind}] ${id.name}`),
    listText(
      unknown,
      'their ownership could not be verified',
      ({ id, reason }) => `[${id.kind}] ${id.name}: ${reason}`,
    ),
  ];
}

const listText = (spared: readonly Spared[], why: string, line: (one: Spared) => string): string =>
  spared.length === 0
    ? ''
    : `${spared.length} resource(s) were not deleted because ${why}:\n${spared.map((one) => `${line(one)}\n`).join('')}`;
