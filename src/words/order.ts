import type { NameListMistake } from '../manifest/name-list.ts';
import type { Fact } from '../problem/fact.ts';
import type { OrderEvidence, OrderFact } from '../problem/order-fact.ts';
import { quoted } from './quote.ts';

type FactOf<Code extends OrderFact['code']> = Extract<OrderFact, { readonly code: Code }>;

/** What is wrong in an order or a hook's annotations, in one line. */
export const orderText = <Code extends OrderFact['code']>(fact: FactOf<Code>): string =>
  (texts[fact.code as Code] as (fact: FactOf<Code>) => string)(fact);

export const isOfOrder = (fact: Fact): fact is OrderFact => Object.hasOwn(texts, fact.code);

const texts: { readonly [Code in OrderFact['code']]: (fact: FactOf<Code>) => string } = {
  'order-cycle': ({ cycle }) => `${circle(cycle)} is a cycle: each waits for the next; remove one of the declarations`,
  'order-subchart-unknown': (fact) =>
    `${declarer(fact)} names "${fact.name}", which is not a dependency of chart ${fact.chart}; ${knownText(fact)}`,
  'order-group-unknown': ({ waiting, what, name, key, resource, chart, isIgnored, meant }) =>
    `${waiting} waits for ${what} "${name}" (${key} of ${resource}), but no resource of chart ${chart} belongs to it${isIgnored ? '; the name is ignored' : ''}${meant === undefined ? '' : `; did you mean "${meant}"?`}`,
  'order-group-isolated': ({ name, chart }) =>
    `resource group "${name}" of chart ${chart} does not depend on another group and no group depends on it, so it is deployed with the ungrouped resources`,
  'order-group-twice': ({ resource, groups }) =>
    `${resource} is in the groups ${groups.map(inQuotes).join(' and ')}; a resource can have only one group or layer`,
  'order-weight-invalid': ({ resource, weight, isTooLarge }) =>
    `${resource} has the weight ${inQuotes(weight)}${isTooLarge ? ', which is too large' : ''}; helm.sh/weight takes a whole number such as "-5"`,
  'order-weight-in-group': ({ resource }) =>
    `${resource} has both a weight and a group or layer; remove helm.sh/weight, or remove the group or layer`,
  'order-edge-dropped': ({ resource, needed, why }) =>
    `${resource} needs ${needed} (${why}) but does not wait for it, because ${needed} already waits for ${resource}`,
  'order-need-invalid': ({ resource, need, isUrl, forms }) =>
    isUrl
      ? `${resource} needs the URL ${inQuotes(need)}, but only an order file may name URLs, so that a chart cannot choose the addresses that tshelm calls`
      : `${resource} declares ${inQuotes(need)}, which is not a valid dependency; write ${forms}`,
  'order-need-own': ({ need }) =>
    `the whole release waits for ${need}, which the release itself creates; declare this dependency only for the resources that need ${need}`,
  'order-file-left-out': ({ release, revision, file }) =>
    `revision ${revision} of ${release} was deployed with the order file ${file}, but this run has no order file: it follows only the order that the chart declares`,
  'order-names-malformed': namesText,
  'order-in-list': ({ list, item, key }) =>
    `${item} is an item of ${list}, so its ${key} is ignored; move ${item} to a document of its own`,
  'order-readiness-invalid': ({ resource, key, words }) =>
    `${resource} has an invalid ${key}: ${words === undefined ? 'without a success condition it never becomes ready' : quoted(words)}`,
  'order-key-misplaced': ({ holder, key, belongsTo, instead }) =>
    `${holder} has the annotation ${key}, which ${placeTexts[belongsTo]}, use ${instead}`,
  'order-key-unknown': ({ holder, key, meant, belongsTo }) =>
    `${holder} has the annotation ${key}, which is unknown; did you mean ${meant}${belongsTo === undefined ? '' : ` in ${belongsTo}`}?`,
  'order-lost': lostText,
  'order-undeclared': undeclaredText,
  'order-field-dropped': ({ field, key, value }) =>
    `Helm drops ${field} when it packages or records the chart; add this line to annotations: ${key}: '${value}'`,
  'order-annotation-list': ({ key, value }) =>
    `${key} is a YAML list, but Helm only loads charts whose annotations are strings; write '${value}'`,
  'hook-mode-unknown': ({ key, value }) => `${key} must be false, otherChartsOnly or true, not ${inQuotes(value)}`,
  'hook-key-ignored': ({ resource, key, instead }) =>
    `${resource} is a hook, so ${key} is ignored; hooks are ordered by ${instead}`,
  'hook-word-unknown': ({ resource, key, word, known, meant, isEvent }) =>
    `${resource}: ${key} has the unknown value ${inQuotes(word)}, so ${isEvent ? 'the hook is ignored' : 'the value has no effect'}; ${meant === undefined ? `use one of ${known.join(', ')}` : `did you mean ${meant}?`}`,
  'hook-number-invalid': ({ resource, key, value, why, countsAs }) =>
    `${resource}: ${key} is ${inQuotes(value)}, which is ${numberTexts[why]} and ${countsAs === undefined ? 'has no effect' : `counts as ${countsAs}`}`,
};

const placeTexts = {
  resources: 'works only on resources; to order subcharts',
  'Chart.yaml': 'works only in Chart.yaml; to make a resource wait for a subchart',
  'root Chart.yaml':
    'works only in the Chart.yaml of the chart that is deployed; to make resources of the subchart wait',
} as const;

/** A cycle as an error message has it: what waits, and below it where each step is declared. */
export function cycleText({ of, chart, cycle, waits }: FactOf<'order-cycle'>): string {
  const lines = waits.map(({ from, to, through, key, resource, file, line }) => {
    const by = `${key}${resource === undefined ? '' : ` of ${resource}`}${disabledChartsText(through)}`;
    const place = file === undefined ? '' : ` (${line === undefined ? file : `${file}:${line}`})`;
    return `\n  ${from} waits for ${to} because of ${by}${place}`;
  });
  return `${of} of ${chart} wait for each other: ${circle(cycle)}; remove one of these:${lines.join('')}`;
}

/** `, through b, which is off` */
export const disabledChartsText = (through: readonly string[]): string =>
  through.length === 0 ? '' : `, through ${through.join(' and ')}, which ${through.length === 1 ? 'is' : 'are'} off`;

const circle = (cycle: readonly string[]): string => [...cycle, cycle[0]].join(' -> ');

const inQuotes = (text: string): string => JSON.stringify(text);

/** `depends-on of web`, `ConfigMap/web (helm.sh/dependson/chart)`. */
const declarer = ({ key, resource, subchart }: FactOf<'order-subchart-unknown'>): string =>
  resource === undefined ? `${key}${subchart === undefined ? '' : ` of ${subchart}`}` : `${resource} (${key})`;

function knownText({ chart, known, meant, subchart }: FactOf<'order-subchart-unknown'>): string {
  const other = subchart === undefined ? '' : 'other ';
  if (known.length === 0) return `chart ${chart} has no ${other}dependencies`;
  return meant.length > 0
    ? `did you mean ${meant.map(inQuotes).join(', ')}?`
    : `its ${other}dependencies are ${known.map(inQuotes).join(', ')}`;
}

function namesText({ key, resource, subchart, mistake }: FactOf<'order-names-malformed'>): string {
  const where =
    resource === undefined
      ? `${key}${subchart === undefined ? '' : ` of ${subchart}`}`
      : `${resource} has an invalid ${key}`;
  const way = mistake.why === 'map' ? '' : '; write ["a", "b"] or a, b';
  return `${where}: ${mistake.text} ${listTexts[mistake.why](mistake.item ?? '')}${way}`;
}

const listTexts: Readonly<Record<NameListMistake['why'], (item: string) => string>> = {
  map: () => 'is a map, not a list of names',
  'not-json': () => 'looks like JSON but is not valid JSON',
  'not-a-list': () => 'is not a list of names',
  'not-a-name': (item) => `contains ${item === '' ? 'something that' : `${inQuotes(item)}, which`} is not a name`,
};

function lostText({ chart, key, sign, none, late = [], after = [] }: FactOf<'order-lost'>): string {
  const risk =
    late.length === 0
      ? ''
      : `. Without an order ${late.join(', ')} would start after ${after.join(', ')}, which may be the wrong way round`;
  return `Helm seems to have dropped the order of the subcharts of ${chart} when it packaged the chart: depends-on is gone, but ${signTexts[sign.kind]}${sign.name} still declares an order. Package the chart with tshelm, or declare the order in ${key} ('${none}' for no order)${risk}`;
}

const signTexts: Readonly<Record<OrderEvidence['kind'], string>> = {
  annotation: 'its ',
  resource: '',
  subchart: 'subchart ',
  chart: 'chart ',
};

function undeclaredText({ chart, key, packaged }: FactOf<'order-undeclared'>): string {
  const reason = `; Helm drops depends-on from charts that it packages, and may have packaged ${packaged.join(', ')}: declare the order in ${key} instead ('{}' for no order)`;
  return `nothing in chart ${chart} declares an order, so an ordered wait starts everything at once${packaged.length === 0 ? '' : reason}`;
}

const numberTexts = {
  'not-whole': 'not a whole number',
  'too-large': 'too large',
  'not-seconds': 'not a whole number of seconds',
  zero: 'less than 1 second',
} as const;
