import { pathText } from '../manifest/field-path.ts';
import type { ChartFact, JsonMistake } from '../problem/chart-fact.ts';
import { quoted } from './quote.ts';
import { keysText } from './value.ts';

/** What is wrong in a chart, in one line. */
export function chartText(fact: ChartFact): string {
  switch (fact.code) {
    case 'value-missing':
      return `the value ${keysText(fact.keys)} is not set${unreadable(fact)}`;
    case 'value-not-a-map':
      return `the value ${keysText(fact.keys)} is not a map${unreadable(fact)}`;
    case 'value-not-a-list':
      return `the value ${keysText(fact.keys)} is neither a list nor a map`;
    case 'value-unread':
      if (fact.meant !== undefined && fact.isDefault)
        return `values.yaml sets ${keysText(fact.keys)}, which nothing reads; the chart reads ${keysText(fact.meant)}, which values.yaml does not set`;
      if (fact.meant !== undefined) return `you set ${keysText(fact.keys)}; the chart reads ${keysText(fact.meant)}`;
      return `nothing in the chart reads the value ${keysText(fact.keys)}`;
    case 'value-encrypted':
      return `${pathText(fact.path)} would be set to a value that is still encrypted with sops`;
    case 'value-misfit':
      return `${fact.keys.length === 0 ? 'values' : keysText(fact.keys)}: ${quoted(fact.words)}`;
    case 'schema-not-json':
      return `the schema is not JSON: ${fact.mistake === undefined ? quoted(fact.words) : jsonTexts[fact.mistake]}`;
    case 'schema-keyword':
      return `${keysText(fact.path) || 'the schema'}${fact.value === undefined ? '' : ` is ${fact.value}`}: ${quoted(fact.words)}`;
    case 'schema-reference':
      return `${keysText(fact.path)} is ${fact.value}, ${referenceTexts[fact.why]}`;
    case 'schema-invalid':
    case 'chart-refuses':
    case 'template-failed':
    case 'chart-not-rendered':
    case 'yaml-invalid':
      return quoted(fact.words);
    case 'owner-null':
      return `${fact.owner} is null here, so ${fact.owner}.${fact.field} cannot be read`;
    case 'owner-not-a-map':
      return `${fact.owner} is not a map, so ${fact.owner}.${fact.field} cannot be read`;
    case 'range-over-scalar':
      return `${fact.text} is neither a list nor a map`;
    case 'template-unknown':
      return `no template of the chart or of its subcharts has {{ define ${JSON.stringify(fact.name)} }}`;
    case 'include-endless':
      return `the template ${JSON.stringify(fact.name)} includes itself without end`;
    case 'function-unknown':
      return `there is no function ${fact.name}`;
    case 'argument-type':
      return argumentText(fact);
    case 'argument-count': {
      const { name, given, wanted, isLeast } = fact;
      return `${name} takes ${isLeast ? 'at least ' : ''}${wanted} ${wanted === 1 ? 'argument' : 'arguments'} and gets ${given}${given > 0 && given < wanted ? '; the value before a pipe counts as one' : ''}`;
    }
    case 'action-not-closed':
      return `${fact.word === undefined ? 'an if, range, with, define or block' : `the ${fact.word} of line ${fact.line}`} has no {{ end }}`;
    case 'end-without-block':
      return strayTexts[fact.word];
    case 'brace-missing':
      return `an action begins with {{ and ${fact.isWhole ? 'has no }}' : 'ends with a single }: write }}'}`;
    case 'block-left':
      return `the value of ${fact.key} is not indented far enough, so YAML ends its block early`;
    default:
      return yamlTexts[fact.code];
  }
}

function argumentText({ keys, wanted, got }: Extract<ChartFact, { code: 'argument-type' }>): string {
  if (keys !== undefined)
    return `the value ${keysText(keys)} is a ${typeName(got)}, and this line needs a ${typeName(wanted)}`;
  const advice = wanted === 'string' ? '; convert it with `toString` first' : '';
  return `a ${typeName(got)} is given where a ${typeName(wanted)} is needed${advice}`;
}

const strayTexts = {
  end: 'this {{ end }} closes nothing: no if, range, with, define or block is open here',
  else: 'this {{ else }} belongs to nothing: no if, range or with is open here',
} as const;

/** `, so image.tag cannot be read` */
const unreadable = ({ keys, field }: { readonly keys: readonly string[]; readonly field?: string | undefined }) =>
  field === undefined ? '' : `, so ${keysText([...keys, field])} cannot be read`;

const typeName = (type: string): string =>
  type.startsWith('map[') ? 'map' : type.startsWith('[]') ? 'list' : (typeNames[type] ?? type);

const typeNames: Readonly<Record<string, string>> = {
  string: 'string',
  float64: 'number',
  int64: 'number',
  int: 'number',
  bool: 'boolean',
};

const jsonTexts: Readonly<Record<JsonMistake, string>> = {
  empty: 'it is empty; write {} or remove the file',
  'trailing-comma': 'remove this comma: nothing follows it',
  comment: 'remove this comment, or write it as "$comment"',
  'single-quote': 'write " instead of \'',
  'comma-missing': 'add a comma here',
  'colon-missing': 'add a colon here',
  'key-not-quoted': 'put this key in double quotes',
  'text-open': 'close the string on this line with "',
  'text-after-end': 'remove everything after its last bracket',
  'bracket-open': 'this bracket is never closed',
};

const referenceTexts = {
  'not-found': 'which is not in the schema',
  'other-file': 'but a schema cannot refer to another file of the chart; copy the definition into "$defs" of this file',
  'not-fetched': 'which cannot be fetched',
} as const;

const yamlTexts: Readonly<Record<Exclude<Extract<ChartFact['code'], `yaml-${string}`>, 'yaml-invalid'>, string>> = {
  'yaml-character':
    'YAML does not allow this character here; indent with spaces, not tabs, and quote a string that begins with @, ` or %',
  'yaml-tab': 'this line is indented with a tab; YAML allows only spaces',
  'yaml-indent': 'this line or one near it is indented too little or too far',
  'yaml-list-item': 'a line near this one is indented like a list item, but does not begin with a dash',
  'yaml-colon-missing':
    'this line is not `key: value`: a colon is missing, or a multi-line string is not indented far enough (indent, nindent)',
  'yaml-nested-mapping': 'a line near this one is indented too far, or a string that contains ": " needs quotes',
  'yaml-list-in-line': 'a list cannot begin here: put its dash on a line of its own, below its key',
  'yaml-quote-open': 'a quote is opened here and never closed',
  'yaml-quote-open-at-document': 'a quote is opened here and not closed before the next ---',
  'yaml-escape': 'in double quotes \\ begins an escape: write \\\\, or use single quotes',
  'yaml-bracket-open': 'a [ or { is never closed, or a string inside it needs quotes',
  'yaml-anchor-unknown':
    'a word that begins with * refers to an anchor (&name), but there is no such anchor; quote the string, or add the anchor',
  'yaml-key-twice': 'this key appears twice in the same map',
  'yaml-no-map': 'the file must be a map of keys, such as `replicas: 2`; this is a list or a single value',
};
