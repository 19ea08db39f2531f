import type { KeptResource } from '../../execute/remove.ts';
import type { Manifest } from '../../manifest/types.ts';
import { sortByResourcePolicy } from '../../plan/keep.ts';

/** What Helm prints about resources that an uninstall leaves; '' when it leaves none. */
export const leftText = (manifests: readonly Manifest[], { kept, asked, isDryRun }: Left): string =>
  [keptText(sortByResourcePolicy(manifests).kept), ...keptTexts(kept), askedText(asked, isDryRun)]
    .filter((text) => text !== '')
    .join('\n');

interface Left {
  /** What the execution did not delete. */
  readonly kept: readonly KeptResource[];
  /** What --keep-objects names. */
  readonly asked: readonly Manifest[];
  readonly isDryRun?: boolean | undefined;
}

function askedText(asked: readonly Manifest[], isDryRun = false): string {
  if (asked.length === 0) return '';
  const how = isDryRun
    ? 'would be kept, and belong to no release then'
    : 'were kept on request, and belong to no release now';
  return `${asked.length} resource(s) ${how}:\n${asked.map(lineOf).join('')}`;
}

/** Helm's text about resources that `helm.sh/resource-policy: keep` protects. */
const keptText = (kept: readonly Manifest[]): string =>
  kept.length === 0 ? '' : `These resources were kept due to the resource policy:\n${kept.map(lineOf).join('')}`;

const lineOf = ({ object }: Manifest): string => `[${object.kind}] ${object.metadata.name}\n`;

/** Helm's texts about resources that were not deleted because of whose they are. */
function keptTexts(kept: readonly KeptResource[]): readonly string[] {
  const notOwned = kept.filter(({ why }) => why === 'not-owned');
  const unknown = kept.filter(({ why }) => why === 'ownership-unknown');
  return [
    listText(notOwned, 'they are not owned by this release', ({ id }) => `[${id.kind}] ${id.name}`),
    listText(
      unknown,
      'their ownership could not be verified',
      ({ id, reason }) => `[${id.kind}] ${id.name}: ${reason}`,
    ),
  ];
}

const listText = (kept: readonly KeptResource[], why: string, line: (one: KeptResource) => string): string =>
  kept.length === 0
    ? ''
    : `${kept.length} resource(s) were not deleted because ${why}:\n${kept.map((one) => `${line(one)}\n`).join('')}`;
