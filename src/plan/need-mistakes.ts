import { chartAnnotationLine } from '../chart/file-text.ts';
import { needForms, readNeed } from '../chart/need.ts';
import type { Chart } from '../chart/types.ts';
import { annotations } from '../manifest/annotations.ts';
import { readNameList } from '../manifest/name-list.ts';
import type { Manifest } from '../manifest/types.ts';
import type { FileLine } from '../support/file-line.ts';
import type { ChartTree } from './chart-tree.ts';
import { declarationOf } from './declarations.ts';
import type { Wait } from './derived/fine-unit.ts';
import { keyLine } from './key-line.ts';
import { resourceName } from './names.ts';
import { namedObjects, releaseNeeds } from './outside-needs.ts';
import { type OrderProblem, orderProblem } from './problems.ts';

const key = annotations.needs;

/** Needs that no chart may have, or that never come: what cannot be read, URLs in a chart, the release's own objects for all of it. */
export function needMistakes(chart: Chart, manifests: readonly Manifest[] = [], namespace?: string) {
  const { name, annotations: given = {} } = chart.metadata;
  const file = `${name}/Chart.yaml`;
  const ofChart = chart.order?.needs?.place ?? { file, line: chartAnnotationLine(chart, key) };
  const { names, mistake } = readNameList(chart.order?.needs === undefined ? given[key] : undefined);
  return [
    ...(mistake === undefined ? [] : [orderProblem({ code: 'order-names-malformed', key, mistake }, ofChart)]),
    ...mistakesIn(names, `chart ${name}`, () => ofChart),
    ...releaseNeeds(chart)
      .filter((need) => namedObjects(need, manifests, namespace).length > 0)
      .map(({ text }) => orderProblem({ code: 'order-need-own', need: text }, ofChart)),
    ...manifests.flatMap((manifest) => {
      if (manifest.declaredAt?.[key] !== undefined) return [];
      return mistakesIn(declarationOf(manifest).needs ?? [], resourceName(manifest), () =>
        annotationPlace(chart, manifest),
      );
    }),
  ];
}

const annotationPlace = (chart: Chart, { object: { kind, metadata }, source }: Manifest): FileLine => ({
  file: source,
  line: keyLine(chart, source, key, { kind, name: metadata.name }),
});

/** A stranger's chart must not make whoever deploys it call addresses of his. */
const mistakesIn = (needs: readonly string[], resource: string, place: () => FileLine): readonly OrderProblem[] =>
  needs.flatMap((text) => {
    const need = readNeed(text);
    if (need !== undefined && need.kind !== 'url') return [];
    const isUrl = need !== undefined;
    return [orderProblem({ code: 'order-need-invalid', resource, need: text, isUrl, forms: needForms }, place())];
  });

/** That objects need each other. */
export function cycleOfNeeds(waits: readonly Wait[], chart: Chart, { name, path }: ChartTree): OrderProblem {
  const steps = waits.map(({ from, to, declared }) => {
    const inFile = from.declaredAt?.[key];
    const need = { key: inFile === undefined ? key : 'needs', ...(inFile ?? annotationPlace(chart, from)) };
    return {
      from: resourceName(from),
      to: resourceName(to),
      through: [],
      ...(declared === undefined ? need : { key: declared }),
    };
  });
  const cycle = steps.map(({ from }) => from);
  return orderProblem({ code: 'order-cycle', of: 'resources', chart: name, cycle, waits: steps }, { file: path });
}
