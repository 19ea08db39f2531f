import { coalesceValues } from '../../chart/coalesce.ts';
import { loadChart } from '../../chart/load.ts';
import { shownValue } from '../../chart/shown-value.ts';
import { isTable, valueIn } from '../../chart/tables.ts';
import type { GoMap } from '../../go/value.ts';
import { compareText } from '../../support/order.ts';
import { unescaped } from '../../support/text.ts';
import type { CompletionContext } from './choices.ts';
import { type Completions, directives, nothing } from './directive.ts';

/**
 * The keys of a chart's values, of its subcharts too, for --set and its kin, a level at a time: `ima` gives `image.`, and that
 * `image.tag=` with its default. Only of a chart on this machine. What comes before the last comma stays.
 */
export async function valueKeys({ typed }: CompletionContext, chart: string | undefined): Promise<Completions> {
  const start = lastUnescaped(typed, ',') + 1;
  const path = splitUnescaped(typed.slice(start), '.');
  const begun = path.pop() ?? '';
  if (chart === undefined || begun.includes('=')) return nothing;
  // A completion shows no errors: of a chart that cannot be read there is nothing to choose.
  const values = await valuesOfChart(chart).catch((): GoMap => new Map());
  const table = valueIn(values, path);
  if (!isTable(table)) return nothing;
  const before = typed.slice(0, typed.length - begun.length);
  const choices = [...table.keys()]
    .filter((key) => escaped(key).startsWith(begun))
    .sort(compareText)
    .map(
      (key) =>
        before +
        (isTable(table.get(key)) ? `${escaped(key)}.` : `${escaped(key)}=\t${defaultOf(values, [...path, key])}`),
    );
  return { choices, directive: directives.noSpace | directives.noFiles };
}

async function valuesOfChart(path: string): Promise<GoMap> {
  return coalesceValues(await loadChart(path), new Map());
}

const defaultOf = (values: GoMap, keys: readonly string[]): string => {
  const shown = shownValue(values, keys);
  return shown === undefined ? '' : `default ${shown}`;
};

/** As --set reads a key that has its signs. */
const escaped = (key: string): string => key.replace(/[\\.,=]/g, '\\$&');

/** Where a sign is last without a backslash before it; -1 for nowhere. */
function lastUnescaped(text: string, sign: string): number {
  for (let at = text.length - 1; at >= 0; at--) if (text[at] === sign && text[at - 1] !== '\\') return at;
  return -1;
}

/** `a\.b.c` is `a.b` and `c`; the last part as it was typed. */
function splitUnescaped(text: string, sign: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === sign) {
      parts.push(unescaped(text.slice(start, at)));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}
