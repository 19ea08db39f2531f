import { placedCharts } from '../../chart/paths.ts';
import type { Chart } from '../../chart/types.ts';
import { decodeText, encodeText } from '../../go/text.ts';
import type { TemplatePlace } from '../../problem/place.ts';
import type { Problem } from '../../problem/problem.ts';

/** A template that is not defined, and one of nearly its name. */
interface Alias {
  readonly name: string;
  readonly meant: string;
}

function aliasOf({ cause, remedies }: Problem): Alias | undefined {
  const [remedy] = remedies.filter((one) => one.kind === 'use-name');
  if (cause.code !== 'template-unknown' || remedy === undefined) return undefined;
  const isPlain = [cause.name, remedy.name].every((one) => !/["\\\n]/.test(one));
  return isPlain ? { name: cause.name, meant: remedy.name } : undefined;
}

/** The chart with the template by both names: the define may be misspelt, or the calls. Undefined for other problems. */
export function withAlias(chart: Chart, problem: Problem): Chart | undefined {
  const alias = aliasOf(problem);
  if (alias === undefined) return undefined;
  const file = `templates/_tshelm-${chart.templates.length}.tpl`;
  const data = encodeText(`{{ define "${alias.name}" }}{{ template "${alias.meant}" . }}{{ end }}`);
  return { ...chart, templates: [...chart.templates, { name: file, data }] };
}

/**
 * Of a template that is not defined every line that calls it or, where nobody calls the one of nearly its name, the line that
 * defines this: either may be the wrong one.
 */
export function withAllUses(problem: Problem, chart: Chart): Problem {
  const alias = aliasOf(problem);
  if (alias === undefined) return problem;
  const [first] = problem.places.flatMap((place) => (place.kind === 'template' ? [place] : []));
  const isDefine = ({ written = '' }: TemplatePlace): boolean => /\bdefine\b/.test(written);
  const ofMeant = linesWith(`"${alias.meant}"`, chart);
  const isCalled = ofMeant.some((one) => !isDefine(one));
  const others = isCalled
    ? linesWith(`"${alias.name}"`, chart).filter((one) => one.file !== first?.file || one.line !== first.line)
    : ofMeant;
  const remedies = problem.remedies.map((remedy) =>
    remedy.kind === 'use-name' && !isCalled ? { ...remedy, isEither: true as const } : remedy,
  );
  return { ...problem, places: [...problem.places, ...others], remedies };
}

const linesWith = (word: string, chart: Chart): readonly TemplatePlace[] =>
  placedCharts(chart).flatMap((placed) =>
    placed.chart.templates.flatMap(({ name, data }) =>
      decodeText(data)
        .split('\n')
        .flatMap((written, index): readonly TemplatePlace[] =>
          written.includes(word)
            ? [{ kind: 'template', file: `${placed.path}/${name}`, line: index + 1, written: written.trim() }]
            : [],
        ),
    ),
  );
