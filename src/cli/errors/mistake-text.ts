import type { SourcePlace } from '../../support/errors.ts';
import type { OnDisk } from './chart-file.ts';
import type { Mistake } from './decide.ts';
import { frameText } from './excerpt.ts';
import { labelled } from './fault-text.ts';
import { valueLines } from './value-lines.ts';

/** The mistake as it is shown: its cause, its place, the way out, and last Helm's words. */
export function mistakeText(mistake: Mistake, onDisk: OnDisk): string {
  const { before, cause, place, rendered, helm } = mistake;
  const isRendered = helm.startsWith('YAML parse error ');
  const words = isRendered ? "Helm's words (its line is one of the rendered text)" : "Helm's words";
  const shown = [
    frameText(place),
    rendered === undefined
      ? ''
      : `  which renders:\n\n${frameText(rendered).replace(numbers, (number) => ' '.repeat(number.length))}`,
    detailLines(mistake, onDisk)
      .map((line) => `  ${line}`)
      .join('\n'),
    helm === '' ? '' : helm.includes('\n') ? `${words}:\n${helm.replace(/^(?=.)/gm, '  ')}` : `${words}: ${helm}`,
  ];
  return [`${before}${cause}\n  ${whereText(place, onDisk)}`, ...shown.map((text) => text.replace(/\n$/, ''))]
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The same without lines of files, for an annotation that stands at one: of what an author refuses their words alone. */
export const mistakeNote = (mistake: Mistake, onDisk: OnDisk): string =>
  [
    mistake.cause.replace(/^(?:[A-Z]+ FAILED: )?execution error at \([^()]*\): /, ''),
    whereText(mistake.place, onDisk),
    ...detailLines(mistake, onDisk),
    ...(mistake.helm === '' ? [] : [`Helm's words: ${mistake.helm}`]),
  ].join('\n');

/** The value that it is about, the way out, a line each; those that go on are indented. */
const detailLines = ({ value, also, fixes }: Mistake, onDisk: OnDisk): readonly string[] => [
  ...also.map((text) => labelled('also', text)),
  ...(value === undefined ? [] : valueLines(value, onDisk)),
  ...fixes.map((text) => labelled('fix', text)),
];

const rendering = / \(rendered\)$/;

/** `where  web/templates/web.yaml:18` */
function whereText({ file, line }: SourcePlace, onDisk: OnDisk): string {
  const named = onDisk(file.replace(rendering, ''));
  return labelled('where', rendering.test(file) ? `${named}, line ${line} of what it renders` : `${named}:${line}`);
}

/** Of lines in a frame: those of rendered text would be taken for lines of a file. */
const numbers = /(?<=^[> ] )[ \d]+(?= \|)/gm;
