import type { RenderAgain, Rendered, RenderSettings } from '../change/rendering/render.ts';
import { fieldDifferences } from '../manifest/field-differences.ts';
import { parseManifest } from '../manifest/parse.ts';
import { manifestText } from '../render/manifest-text.ts';
import { subjectOf } from './document-subject.ts';
import { type OutdatedPart, refuseOutdated } from './outdated.ts';
import { type Part, partsOf } from './rendered-parts.ts';
import type { SavedRelease, Sealed } from './types.ts';

/**
 * What was rendered for the plan is sent, also where templates draw lots. The chart is rendered all the same: whoever can
 * encrypt for the plan's key could put anything there, so that it has to be what this chart makes of these values, but for
 * the fields that differ each time. Errors: `plan-outdated`.
 */
export const keptRendering =
  (saved: SavedRelease, { values: _values, manifests, ...kept }: Sealed): NonNullable<RenderSettings['afterRender']> =>
  async (now, again) => {
    const parsed = manifests.map(({ source, text }) => parseManifest(text, source));
    const rendered = { ...kept, manifests: parsed, manifest: manifestText(parsed) };
    refuseOutdated(saved, await foreignTexts(rendered, now, again));
    return rendered;
  };

async function foreignTexts(
  kept: Pick<Rendered, 'manifests' | 'hooks'>,
  now: Rendered,
  renderAgain: RenderAgain,
): Promise<readonly OutdatedPart[]> {
  const [was, is] = [partsOf(kept), partsOf(now)];
  const isSame = (part: Part, index: number): boolean => {
    const other = is[index];
    return other?.text === part.text && other.source === part.source && other.settings === part.settings;
  };
  if (was.length === is.length && was.every(isSame)) return [];
  const again = partsOf(await renderAgain('same'));
  const length = Math.max(was.length, is.length);
  return Array.from({ length }, (_part, index) => foreignText(was[index], is[index], again[index])).flat();
}

function foreignText(was: Part | undefined, is: Part | undefined, again: Part | undefined): readonly OutdatedPart[] {
  const { source, text } = (was ?? is) as Part;
  const subject = subjectOf(source, text);
  const outdatedRendering = (why: string): readonly OutdatedPart[] => [
    { kind: 'rendering', subject, text: `${subject} in the encrypted part of the plan ${why}` },
  ];
  if (was === undefined) return outdatedRendering('is missing, although the chart renders it');
  if (is === undefined || is.source !== source || is.settings !== was.settings)
    return outdatedRendering('differs from what the chart renders');
  if (is.text === text) return [];
  const randomPaths = again === undefined ? [] : pathsBetween(is.text, again.text);
  const isRandomPath = (path: string): boolean => randomPaths.some((lot) => path === lot || isInside(path, lot));
  const others = pathsBetween(is.text, text).filter((path) => !isRandomPath(path));
  return others.length === 0 ? [] : outdatedRendering(`differs from what the chart renders: ${others.join(', ')}`);
}

const isInside = (path: string, lot: string): boolean => path.startsWith(`${lot}.`) || path.startsWith(`${lot}[`);

/** Where two documents differ; '' for all of it. */
function pathsBetween(one: string, other: string): readonly string[] {
  if (one === other) return [];
  const paths = fieldDifferences(parseManifest(one, '').object, parseManifest(other, '').object).map(
    ({ path }) => path,
  );
  return paths.length === 0 ? [''] : paths;
}
