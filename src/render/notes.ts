const suffix = 'NOTES.txt';

/** A release's notes, and the other files. */
export interface NotesAndFiles {
  readonly notes: string;
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Takes every NOTES.txt out of the rendered files. The notes are the chart's own, or with `subcharts` those of all
 * charts, the chart's own first. (Helm prints them in the order of a Go map.)
 */
export function takeNotes(rendered: ReadonlyMap<string, string>, chartName: string, subcharts: boolean): NotesAndFiles {
  const own = `${chartName}/templates/${suffix}`;
  const isNotes = ([path]: readonly [string, string]) => path.endsWith(suffix);
  const texts = [...rendered]
    .filter(isNotes)
    .filter(([path]) => subcharts || path === own)
    .sort(([a], [b]) => Number(b === own) - Number(a === own))
    .map(([, text]) => text)
    .filter((text) => text !== '');
  return { notes: texts.join('\n'), files: new Map([...rendered].filter((entry) => !isNotes(entry))) };
}
