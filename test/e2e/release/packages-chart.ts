import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Templates that need each package which is a file of its own (scripts/lazy-packages.mjs), besides age-encryption. */
const templates = {
  'go.yaml':
    '{{ regexReplaceAll "(?U)x+(\\\\d)" .Values.word "y$1" }}: {{ htpasswd "a" "b" | hasPrefix "a:$2a$" }}, {{ (fromToml "a = 1").a }}\n',
  'handlebars.hbs': 'handlebars: {{upper Values.word}}\n',
};

/** The lines that they render, sorted. */
export const packagesLines = ['handlebars: X1', 'y1: true, 1'];

/** Writes the chart into a folder, and returns its path. */
export function writePackagesChart(folder: string): string {
  const chart = join(folder, 'packages');
  mkdirSync(join(chart, 'templates'), { recursive: true });
  writeFileSync(join(chart, 'Chart.yaml'), 'apiVersion: v2\nname: packages\nversion: 1.0.0\n');
  writeFileSync(join(chart, 'values.yaml'), 'word: x1\n');
  for (const [name, text] of Object.entries(templates)) writeFileSync(join(chart, 'templates', name), text);
  return chart;
}

/** The lines of a rendered text that are no comment and no separator, sorted. */
export const linesOf = (manifest: string): readonly string[] =>
  manifest
    .split('\n')
    .filter((line) => line !== '' && !/^(?:#|---)/.test(line))
    .sort();
