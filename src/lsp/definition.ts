import { Lines } from '../support/lines.ts';
import type { ChartView } from './chart-view.ts';
import { definitionsOf, type Location, referencesTo, subjectAt, valuesFiles } from './places.ts';
import { keysIn } from './value-keys.ts';

/**
 * Where what a place names is set or defined; of the place itself where it is used. In Chart.yaml a dependency leads to its
 * chart.
 */
export function definitionAt(view: ChartView, file: string, offset: number): readonly Location[] {
  if (file.endsWith('/Chart.yaml')) return dependencyAt(view, file, offset);
  const subject = subjectAt(view, file, offset);
  if (subject === undefined) return [];
  const found = definitionsOf(view, subject);
  const isHere = found.some((one) => one.file === file && one.from <= offset && offset <= one.until);
  const isValuesFile = valuesFiles(view).some((one) => one.file === file);
  if (!isHere || !isValuesFile) return found;
  const others = referencesTo(view, subject).filter((one) => one.file !== file || one.from !== subject.from);
  return others.length > 0 ? others : found;
}

function dependencyAt(view: ChartView, file: string, offset: number): readonly Location[] {
  const lines = new Lines(view.text(file) ?? '');
  const { line } = lines.positionAt(offset);
  const all = keysIn(lines).filter(({ keys }) => keys[0] === 'dependencies');
  const own = all.findLast(({ from }) => lines.positionAt(from).line <= line);
  const item = own?.keys[1];
  const words = all
    .filter(({ keys }) => keys[1] === item && (keys[2] === 'alias' || keys[2] === 'name'))
    .map(({ until }) =>
      lines
        .line(lines.positionAt(until).line)
        .slice(lines.positionAt(until).character + 1)
        .trim(),
    );
  const base = file.slice(0, -'/Chart.yaml'.length);
  const found = words.map((word) => `${base}/charts/${word.replace(/["']/g, '')}/Chart.yaml`);
  return found.filter((one) => view.text(one) !== undefined).map((one) => ({ file: one, from: 0, until: 0 }));
}
