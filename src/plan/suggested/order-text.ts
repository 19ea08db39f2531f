import { chartNamesOf } from '../../chart/paths.ts';
import { kindAndName } from '../../manifest/resource-id.ts';
import { groupBy } from '../../support/group-by.ts';
import { compareText } from '../../support/order.ts';
import { fitsPattern } from '../../support/pattern.ts';
import type { Item } from '../derived/object-index.ts';
import type { RunEvidence } from './measured-run.ts';
import { type SuggestedEdge, type Suggestion, suggestionOf } from './suggestion.ts';
import type { Evidence } from './types.ts';

export interface Written {
  readonly release: string;
  /** All workloads: a pattern must select one of them alone. */
  readonly workloads: readonly Item[];
  /** `shop/templates/web.yaml:23`, where the template says so. */
  readonly placeOf: (evidence: Evidence) => string;
  /** What a chart declares already of what a subchart waits for: a rule of an order file takes its place. */
  readonly declared: (chart: string, subchart: string) => readonly string[];
  /** A run that was measured. */
  readonly run?: RunEvidence | undefined;
}

/** A suggestion as an order file: each edge with a comment that says who names whom, and where. */
export function orderText({ chosen, mutual, impossible }: Suggestion, written: Written): string {
  const resources = rulesOf(chosen, written);
  const charts = chartRulesOf(chosen, written);
  return [
    'derive: true',
    ...section('resources:', resources, []),
    ...section('charts:', charts, []),
    ...remarks(
      'Not chosen, because these name each other:',
      mutual.flatMap(({ evidence }) => evidence),
      written,
    ),
    ...remarks(
      'Not possible: a subchart cannot wait for single resources of the chart around it, and a declared order stays:',
      impossible,
      written,
    ),
    ...runRemarks(chosen, written),
    '',
  ].join('\n');
}

interface Rule {
  readonly item: Item;
  group?: string;
  readonly groups: Set<string>;
  readonly charts: Set<string>;
  readonly comments: string[];
}

function rulesOf(edges: readonly SuggestedEdge[], written: Written, only?: ReadonlySet<Item>): readonly string[] {
  const rules = new Map<Item, Rule>();
  const groups = new GroupNames(written.release);
  const ruleOf = (item: Item): Rule => {
    const rule = rules.get(item) ?? { item, groups: new Set(), charts: new Set(), comments: [] };
    rules.set(item, rule);
    return rule;
  };
  for (const { from, to, chart, evidence } of edges) {
    if (from.kind === 'subchart') continue;
    const rule = ruleOf(from.item);
    rule.comments.push(...commentsOf(evidence, written));
    if (to.kind === 'subchart') rule.charts.add(to.name);
    else {
      const group = groups.of(to.item, chart);
      ruleOf(to.item).group = group;
      rule.groups.add(group);
    }
  }
  const shown = [...rules.values()].filter(({ item }) => only === undefined || only.has(item));
  return shown.flatMap((rule) => ruleLines(rule, written));
}

function ruleLines({ item, group, groups, charts, comments }: Rule, written: Written): readonly string[] {
  const { kind, name } = item.id;
  const selected = selectedBy(item, written);
  const isOfOneRelease = selected === undefined && name.includes(written.release);
  const select = `{kind: ${kind}, ${selected ?? `name: ${inYaml(name)}`}, chart: ${inYaml(chartOf(item))}}`;
  const names = `groups: ${list(groups)}`;
  const dependsOn =
    charts.size === 0 ? list(groups) : `{${groups.size > 0 ? `${names}, ` : ''}charts: ${list(charts)}}`;
  return [
    ...comments.map((text) => `  # ${text}`),
    ...(isOfOneRelease ? [`  # this rule fits only a release of the name ${written.release}`] : []),
    `  - select: ${select}`,
    ...(group === undefined ? [] : [`    group: ${inYaml(group)}`]),
    ...(groups.size + charts.size === 0 ? [] : [`    dependsOn: ${dependsOn}`]),
  ];
}

function chartRulesOf(edges: readonly SuggestedEdge[], written: Written): readonly string[] {
  const rules = new Map<string, { readonly after: Set<string>; readonly comments: string[] }>();
  for (const { chart, from, to, evidence } of edges) {
    if (from.kind !== 'subchart' || to.kind !== 'subchart') continue;
    const path = chart === '.' ? from.name : `${chart}/${from.name}`;
    const rule = rules.get(path) ?? { after: new Set(written.declared(chart, from.name)), comments: [] };
    rule.after.add(to.name);
    rule.comments.push(...commentsOf(evidence, written));
    rules.set(path, rule);
  }
  return [...rules].flatMap(([path, { after, comments }]) => [
    ...comments.map((text) => `  # ${text}`),
    `  - chart: ${inYaml(path)}`,
    `    dependsOn: ${list(after)}`,
  ]);
}

const shownOfEdge = 3;

/** What the restarts of a run speak for, beside the edges that are chosen: to be uncommented by who knows better. */
function runRemarks(chosen: readonly SuggestedEdge[], written: Written): readonly string[] {
  const { run, workloads } = written;
  if (run === undefined) return [];
  const { release, revision } = run.run;
  const name = `revision ${revision} of ${release}`;
  const unexplained = run.unexplained(chosen, workloads);
  if (unexplained.length === 0) {
    const explained = workloads.some((item) => run.restartsOf(item) !== undefined);
    return [`# In ${name}, nothing was restarted${explained ? ' for another reason' : ''}.`];
  }
  const proposed = run.proposals(chosen, workloads);
  const all = suggestionOf([...chosen.flatMap(({ evidence }) => evidence), ...proposed]).chosen;
  const added = all.filter(({ evidence }) => evidence.some((one) => proposed.includes(one)));
  const items = new Set(
    added.flatMap(({ from, to }) => [from, to].flatMap((part) => ('item' in part ? [part.item] : []))),
  );
  return [
    `# Restarted in ${name}, and the chart does not say what for:`,
    ...unexplained.map((item) => `#   ${item.id.kind}/${item.id.name}: ${run.restartText(item)}`),
    added.length === 0
      ? '# Nothing became ready meanwhile, so an order would not have spared these.'
      : '# These rules wait for what became ready meanwhile:',
    ...section('resources:', rulesOf(all, written, items), rulesOf(chosen, written)).map((line) => `#${line}`),
    ...section('charts:', chartRulesOf(added, written), chartRulesOf(chosen, written)).map((line) => `#${line}`),
  ];
}

/** With its key, which a file must have only once. */
const section = (key: string, rules: readonly string[], others: readonly string[]): readonly string[] =>
  rules.length === 0 || others.length > 0 ? rules : [key, ...rules];

/** `Deployment/web names db in env DATABASE_HOST of container web (shop/templates/web.yaml:23)` */
function commentsOf(evidence: readonly Evidence[], { placeOf, run }: Written): readonly string[] {
  const texts = evidence.map((one) => {
    const whom = one.word === '' ? ` (${kindAndName(one.needed.id)})` : '';
    return `${kindAndName(one.user.id)} ${one.text}${whom} (${placeOf(one)})`;
  });
  const each = [...new Set(texts)];
  const more = each.length - shownOfEdge;
  const measured = new Set(
    evidence
      .filter(({ user, needed }) => run?.awaitedMs(user, needed) !== undefined)
      .map(
        ({ user, needed }) =>
          `${kindAndName(user.id)}: ${run?.restartText(user)}; ${kindAndName(needed.id)} was ${run?.readyText(needed)}`,
      ),
  );
  return [...(more > 0 ? [...each.slice(0, shownOfEdge), `and ${more} more`] : each), ...measured];
}

function remarks(title: string, evidence: readonly Evidence[], written: Written): readonly string[] {
  const perPair = groupBy(evidence, ({ user, needed }) => `${kindAndName(user.id)} ${needed.id.name}`);
  const lines = [...perPair.values()].flatMap((one) => commentsOf(one, written));
  return lines.length === 0 ? [] : [`# ${title}`, ...lines.map((line) => `#   ${line}`)];
}

const chartOf = ({ manifest }: Item): string => chartNamesOf(manifest.source).slice(1).join('/') || '.';

/** Without the release's name, so that the file fits a release of any name: a pattern, or a label that the others lack. */
function selectedBy(item: Item, { release, workloads }: Written): string | undefined {
  const { kind, name } = item.id;
  const rivals = workloads.filter(
    (other) => other !== item && other.id.kind === kind && chartOf(other) === chartOf(item),
  );
  const pattern = patternsOf(name, release).find((one) => !rivals.some(({ id }) => fitsPattern(id.name, one)));
  if (pattern !== undefined) return `name: ${inYaml(pattern)}`;
  const label = Object.entries(labelsOf(item)).find(
    ([key, value]) => !value.includes(release) && !rivals.some((other) => labelsOf(other)[key] === value),
  );
  return label && `labels: {${inYaml(label[0])}: ${inYaml(label[1])}}`;
}

function patternsOf(name: string, release: string): readonly string[] {
  if (!name.startsWith(release)) return name.includes(release) ? [name.replace(release, '*')] : [];
  const rest = name.slice(release.length);
  return [`*${rest.replace(/^-/, '')}`, `*${rest}`];
}

const labelsOf = ({ manifest }: Item): Readonly<Record<string, string>> => manifest.object.metadata.labels ?? {};

/** One group for each workload that others wait for; unique in its chart. */
class GroupNames {
  readonly #release: string;
  readonly #names = new Map<string, Item>();

  constructor(release: string) {
    this.#release = release;
  }

  of(item: Item, chart: string): string {
    const { kind, name } = item.id;
    const short = name.startsWith(`${this.#release}-`) ? name.slice(this.#release.length + 1) : name;
    const candidates = [short, `${short}-${kind.toLowerCase()}`, `${name}-${kind.toLowerCase()}`];
    const free = candidates.find((one) => [undefined, item].includes(this.#names.get(`${chart} ${one}`))) ?? name;
    this.#names.set(`${chart} ${free}`, item);
    return free;
  }
}

const list = (names: ReadonlySet<string>): string => `[${[...names].sort(compareText).map(inYaml).join(', ')}]`;

/** Plain where YAML reads a plain word as a text. */
const inYaml = (text: string): string => (plainWord.test(text) ? text : `'${text}'`);

const plainWord = /^(?!(?:true|false|null|yes|no|on|off|y|n)$)[a-z][\w-]*$/i;
