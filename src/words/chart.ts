import type { ChartFact, ValueFact, YamlFact } from '../problem/chart-fact.ts';
import { unreachable } from '../support/errors.ts';
import { keysText } from './value.ts';

/** What is wrong in a chart, in one line. */
export function chartText(fact: ChartFact): string {
  switch (fact.code) {
    case 'value-missing':
    case 'value-not-a-map':
    case 'value-not-a-list':
      return valueText(fact);
    case 'owner-null':
      return `${fact.owner} is null here, so ${fact.owner}.${fact.field} cannot be read`;
    case 'owner-not-a-map':
      return `${fact.owner} is set, but it is not a map, so ${fact.owner}.${fact.field} cannot be read`;
    case 'range-over-scalar':
      return `${fact.text} is neither a list nor a map`;
    case 'template-unknown':
      return `no template of the chart or of its subcharts has {{ define ${JSON.stringify(fact.name)} }}`;
    case 'argument-type':
      return argumentText(fact.wanted, fact.got);
    case 'action-not-closed':
      return 'the file ends before the {{ end }} of an if, range, with, define or block';
    case 'brace-missing':
      return 'what begins with {{ ends with a single }: write }}';
    default:
      return yamlTexts[fact.code];
  }
}

function valueText({ code, keys, field }: ValueFact): string {
  const name = keysText(keys);
  switch (code) {
    case 'value-missing':
      if (field === undefined) return `the value ${name} is not set`;
      return `the value ${name} is not set, so ${name}.${field} cannot be read`;
    case 'value-not-a-map':
      return `the value ${name} is not a map, so ${name}.${field} cannot be read`;
    case 'value-not-a-list':
      return `the value ${name} is neither a list nor a map`;
    default:
      return unreachable(code);
  }
}

function argumentText(wanted: string, got: string): string {
  const wayOut = wanted === 'string' ? ': put `toString` before it' : '';
  return `a ${typeName(got)} stands here where a ${typeName(wanted)} is needed${wayOut}`;
}

const typeName = (type: string): string => (type.startsWith('map[') ? 'map' : (typeNames[type] ?? type));

const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  float64: 'number',
  int64: 'number',
  int: 'number',
  bool: 'true or false',
};

const yamlTexts: Readonly<Record<YamlFact['code'], string>> = {
  'yaml-character': 'YAML is indented with spaces, never tabs; a text that begins with @, ` or % needs quotes',
  'yaml-tab': 'YAML is indented with spaces, never tabs',
  'yaml-indent': 'a line near this one is indented too little or too far',
  'yaml-list-item': 'a line near this one is indented as far as the items of a list, and is none',
  'yaml-colon-missing':
    'this line is no `key: value`: a colon is missing, or a text of several lines is indented too little (indent, nindent)',
  'yaml-nested-mapping': 'a line near this one is indented too far, or a text with ": " in it needs quotes',
  'yaml-list-in-line': 'a list begins here where none can be: its dash belongs on a line of its own, below its key',
  'yaml-quote-open': 'a quote is opened here and never closed',
  'yaml-quote-open-at-document': 'a quote is opened here and not closed before the next ---',
  'yaml-escape': 'in double quotes \\ begins an escape: write \\\\, or use single quotes',
  'yaml-bracket-open': 'a [ or { is opened and never closed, or a text in it needs quotes',
  'yaml-anchor-unknown': 'a text that begins with * needs quotes, or the anchor with & is missing',
  'yaml-key-twice': 'a key stands twice in one map',
};
