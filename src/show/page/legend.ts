import type { Picture, PictureBox } from '../picture-types.ts';
import type { BoxInfo } from './boxes.ts';

const meanings: Readonly<Record<PictureBox['kind'], string>> = {
  step: 'a step of the change',
  hook: 'a hook',
  chart: 'a subchart with everything in it',
  group: 'a resource group or layer',
  resources: 'a chart’s own resources',
  release: 'a release',
};

/** What shapes and colours mean: of those that the picture has. */
export function legendText(picture: Picture, infos: readonly BoxInfo[]): string {
  const kinds = new Set(infos.map(({ box }) => box.kind));
  const shapes = (Object.keys(meanings) as PictureBox['kind'][])
    .filter((kind) => kinds.has(kind))
    .map((kind) =>
      entry(
        `<g class="box ${kind}"><rect class="frame" x="1" y="2" width="26" height="14" rx="4"/></g>`,
        meanings[kind],
      ),
    );
  const pictures = [picture, ...infos.flatMap(({ box }) => box.inside ?? [])];
  const hasGates = pictures.some(({ gates }) => gates.length > 0);
  const hasBands = pictures.some(({ columns }) => columns.some(({ caption }) => caption !== ''));
  const arrow = entry('<path class="arrow" d="M1 9H26" marker-end="url(#tip)"/>', 'comes before');
  const gate = entry(
    '<path class="arrow" d="M1 9H18" marker-end="url(#tip)"/><path class="gate" d="M20 2V16"/>',
    'comes before everything in the column',
  );
  const band = entry('<g class="band"><rect x="1" y="2" width="26" height="14" rx="3"/></g>', 'runs together');
  return `<details id="legend"><summary>Legend</summary><ul>${[...shapes, ...(hasBands ? [band] : []), arrow, ...(hasGates ? [gate] : [])].join('')}</ul></details>`;
}

const entry = (shape: string, meaning: string): string =>
  `<li><svg class="key" width="28" height="18" aria-hidden="true">${shape}</svg> ${meaning}</li>`;
