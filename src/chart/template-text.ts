import { textOfFile } from './file-text.ts';
import type { Chart } from './types.ts';

/** Of a chart that was just loaded its subcharts are known, of a recorded one they are not. */
export type Templates = Pick<Chart, 'metadata' | 'templates'> &
  Partial<Pick<Chart, 'raw' | 'values'>> & { readonly dependencies?: readonly Templates[] };

/** The text of a template by its path with charts before it: `shop/charts/db/templates/web.yaml`. */
export function templateText(chart: Templates, source: string): string | undefined {
  const [, ...path] = source.split('/');
  let at: Templates | undefined = chart;
  while (at !== undefined && path[0] === 'charts') {
    const [, name] = path.splice(0, 2);
    at = at.dependencies?.find(({ metadata }) => metadata.name === name);
  }
  const file = at?.templates.find((template) => template.name === path.join('/'));
  return file && textOfFile(file);
}
