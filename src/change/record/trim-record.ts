import type { Chart, ChartFile } from '../../chart/types.ts';
import { decodeText } from '../../go/text.ts';
import type { GoMap, Value } from '../../go/value.ts';
import { globMatcher } from '../../render/glob.ts';
import { literalPattern } from '../../support/pattern.ts';

/**
 * The chart without the files that no template can read: README, docs, `crds/`, whatever nobody names (--trim-record).
 * Templates, values and schema stay, so that Helm reads the record as any other. A file stays whenever a string in a
 * template or a value may name it, as a path, a folder, a pattern or a format.
 */
export function trimmedChart(chart: Chart, userValues: GoMap): Chart {
  const { files } = chart;
  if (files.length === 0) return chart;
  const texts = templateTexts(chart);
  if (!texts.some((text) => /\bFiles\b/.test(text))) return { ...chart, files: [] };
  if (texts.some(mayReadAnyFile)) return chart;
  const values = [...stringsOf(chart.values), ...stringsOf(userValues)].filter(mayBePath);
  const names = new Set([...texts.flatMap(stringsOfTemplate), ...values]);
  const matchers = [...names].map(matcherOf);
  return { ...chart, files: files.filter(({ name }) => matchers.some((matches) => matches(name))) };
}

/** Of subcharts too: what they define may be called with the parent's Files. */
const templateTexts = (chart: Chart): readonly string[] => [
  ...chart.templates.map(({ data }: ChartFile) => decodeText(data)),
  ...chart.dependencies.flatMap(templateTexts),
];

/** `range .Files`, `.Files.AsConfig`, `dict "files" .Files`: which files are meant, the text does not say. */
const mayBePath = (text: string): boolean => /[./]/.test(text);
const mayReadAnyFile = (text: string): boolean => /\.Files\b(?!\.(?:Get|GetBytes|Glob|Lines)\b)/.test(text);

const stringsOfTemplate = (text: string): readonly string[] =>
  [...text.matchAll(/"((?:[^"\\\n]|\\.)+)"|`([^`\n]+)`/g)].map((match) => match[1] ?? match[2] ?? '');

function stringsOf(value: Value): readonly string[] {
  if (typeof value === 'string') return value === '' ? [] : [value];
  if (Array.isArray(value)) return value.flatMap(stringsOf);
  return value instanceof Map ? [...value.values()].flatMap(stringsOf) : [];
}

type Matches = (name: string) => boolean;

/** Which files a string of a template or a value may stand for. */
function matcherOf(text: string): Matches {
  if (text.includes('%')) return formatMatcher(text);
  if (/\*|\{.*\}/.test(text)) return globMatcher(text);
  if (text.endsWith('/')) return (name) => name.startsWith(text);
  if (text.startsWith('/') || text.startsWith('.')) return (name) => name.endsWith(text);
  return (name) => name === text || name.startsWith(`${text}/`);
}

const nothing: Matches = () => false;

/** `dashboards/%s.json`: the text before, between and after the verbs. Without a folder or an ending it names no file. */
function formatMatcher(format: string): Matches {
  const parts = format.split(/%[-+# 0]*\d*(?:\.\d+)?[a-zA-Z]/);
  if (!mayBePath(parts.join(''))) return nothing;
  const expression = new RegExp(`^${parts.map(literalPattern).join('.*')}$`, 's');
  return (name) => expression.test(name);
}
