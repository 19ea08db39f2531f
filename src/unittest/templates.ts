import { posix } from 'node:path';
import type { Chart } from '../chart/types.ts';
import { baseName } from '../go/path.ts';
import { literalPattern } from '../support/pattern.ts';

/** Folders that a template of a suite may be named with; others are below `templates/`. */
const knownFolders = ['templates', 'charts', 'crds', '**'];

/** The path of a template as a suite names it, below the chart that the suite is about. */
export const templatePath = (chartRoute: string, name: string): string =>
  posix.join(chartRoute, knownFolders.some((folder) => name.startsWith(folder)) ? name : posix.join('templates', name));

export const isWildcard = (name: string): boolean => name.includes('*');

/** Which templates a suite is about: `*` stands for any part of a path, `**` for at least one character of it. */
export interface TemplateChoice {
  readonly chartRoute: string;
  readonly chosen: readonly string[];
  readonly excluded: readonly string[];
}

/** The chart and its subcharts with these templates alone, and with all partials. */
export function withTemplates(chart: Chart, choice: TemplateChoice): Chart {
  const matchersOf = (names: readonly string[]) =>
    names.map((name) => wildcardPattern(templatePath(choice.chartRoute, name)));
  const [chosen, excluded] = [matchersOf(choice.chosen), matchersOf(choice.excluded)];
  const isChosen = (path: string): boolean =>
    chosen.some((pattern) => pattern.test(path)) && !excluded.some((pattern) => pattern.test(path));
  return filtered(chart, chart.metadata.name, isChosen);
}

function filtered(chart: Chart, route: string, isChosen: (path: string) => boolean): Chart {
  return {
    ...chart,
    templates: chart.templates.filter(
      ({ name }) => baseName(name).startsWith('_') || isChosen(posix.join(route, name)),
    ),
    dependencies: chart.dependencies.map((child) =>
      filtered(child, posix.join(route, 'charts', child.metadata.name), isChosen),
    ),
  };
}

/** The name may appear anywhere in the path. */
const wildcardPattern = (name: string): RegExp =>
  new RegExp(literalPattern(name).replaceAll('\\*\\*', '[0-9a-zA-Z_\\-/.]+').replaceAll('\\*', '[0-9a-zA-Z_\\-/.]*'));
