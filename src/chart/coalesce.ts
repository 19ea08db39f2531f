import { formatValue, sprintf } from '../go/fmt/format.ts';
import { quote } from '../go/strconv/strconv.ts';
import { GoError, type GoMap, type Value } from '../go/value.ts';
import { ignoreNotices, info, type Notify } from './notice.ts';
import { deepCopy, isTable } from './tables.ts';

/** What coalescing looks at in a chart. */
export interface ValuesOwner {
  readonly metadata: { readonly name: string };
  readonly values: GoMap;
  readonly dependencies: readonly ValuesOwner[];
}

/** Whether nulls delete keys (`coalesce`) or stay, for a later coalescing (`merge`). */
type Mode = 'coalesce' | 'merge';

/**
 * The values that a chart's templates see: `values` over the chart's own, and below each subchart's name the same for
 * it, with the globals handed down. A null removes its key. Shares nothing with its arguments.
 * Throws GoError (`type mismatch on NAME: …`) where a subchart's values are no table. Go: util.CoalesceValues.
 */
export function coalesceValues(chart: ValuesOwner, values: GoMap, notify: Notify = ignoreNotices): GoMap {
  return new Coalescing(notify).chart(chart, deepCopy(values), { path: '', mode: 'coalesce' });
}

/** The same with nulls kept (util.MergeValues). */
export function mergeChartValues(chart: ValuesOwner, values: GoMap, notify: Notify = ignoreNotices): GoMap {
  return new Coalescing(notify).chart(chart, deepCopy(values), { path: '', mode: 'merge' });
}

/** Fills what `target` lacks from `source`, and returns `target`; a null in `target` removes the key (util.CoalesceTables). */
export function coalesceTables(target: GoMap, source: GoMap, notify: Notify = ignoreNotices): GoMap {
  return new Coalescing(notify).tables(target, source, { path: '', mode: 'coalesce' });
}

/** The same with nulls kept (util.MergeTables). */
export function mergeTables(target: GoMap, source: GoMap, notify: Notify = ignoreNotices): GoMap {
  return new Coalescing(notify).tables(target, source, { path: '', mode: 'merge' });
}

/** Where in the values something is, for messages, and how it is combined there. */
interface Place {
  readonly path: string;
  readonly mode: Mode;
}

/** Works on maps in place, as Go's coalesce.go does: the public functions copy first. */
class Coalescing {
  private readonly notify: Notify;

  constructor(notify: Notify) {
    this.notify = notify;
  }

  chart(chart: ValuesOwner, target: GoMap, place: Place): GoMap {
    const inside = under(place, chart.metadata.name);
    this.ownValues(chart, target, inside);
    for (const subchart of chart.dependencies) this.subchart(subchart, target, inside);
    return target;
  }

  private subchart(subchart: ValuesOwner, target: GoMap, place: Place): void {
    const { name } = subchart.metadata;
    if (!target.has(name)) target.set(name, new Map());
    const values = target.get(name);
    if (!isTable(values)) throw new GoError(sprintf('type mismatch on %s: %t', name, values ?? null));
    this.globals(values, target, place.path);
    this.chart(subchart, values, place);
  }

  /** Hands the globals of a chart down to its subchart. */
  private globals(subchartValues: GoMap, values: GoMap, prefix: string): void {
    const target = subchartValues.has('global') ? subchartValues.get('global') : new Map<string, Value>();
    if (!isTable(target)) return this.print('warning: skipping globals because destination global is not a table.');
    const source = values.has('global') ? values.get('global') : new Map<string, Value>();
    if (!isTable(source)) return this.print('warning: skipping globals because source global is not a table.');
    for (const [key, value] of source) this.global(target, key, value, prefix);
    subchartValues.set('global', target);
  }

  private global(target: GoMap, key: string, value: Value, prefix: string): void {
    const old = target.get(key);
    if (!isTable(value)) {
      if (isTable(old)) this.print(`key ${key} is table. Skipping`);
      else target.set(key, value);
    } else if (!target.has(key)) {
      target.set(key, new Map(value));
    } else if (!isTable(old)) {
      this.print(`Conflict: cannot merge map onto non-map for ${quote(key)}. Skipping.`);
    } else {
      // The parent's global wins over the subchart's own; nulls stay until the subchart is coalesced.
      target.set(key, this.tables(new Map(value), old, { path: join(prefix, key), mode: 'merge' }));
    }
  }

  /** Fills in what values.yaml of the chart has. */
  private ownValues(chart: ValuesOwner, target: GoMap, place: Place): void {
    for (const [key, value] of deepCopy(chart.values)) {
      if (target.has(key)) this.ownValueUnder(chart, target, [key, value], place);
      else if (place.mode === 'merge') target.set(key, value);
      else if (value !== null) target.set(key, withoutNulls(value));
    }
  }

  private ownValueUnder(chart: ValuesOwner, target: GoMap, [key, value]: [string, Value], place: Place): void {
    const { path, mode } = place;
    const given = target.get(key);
    if (given === null && mode === 'coalesce') {
      target.delete(key);
    } else if (isTable(given) && isTable(value)) {
      const isSubchart = chart.dependencies.some(({ metadata }) => metadata.name === key);
      const tableMode = isSubchart ? 'merge' : mode;
      const source = tableMode === 'coalesce' ? withoutNulls(value) : value;
      this.tables(given, source as GoMap, { path: join(path, key), mode: tableMode });
    } else if (isTable(given) && value !== null) {
      this.print(`warning: skipped value for ${path}.${key}: Not a table.`);
    }
  }

  /** Fills `target` from `source`. Both may be shared with others, so what changes in them is what Go changes. */
  tables(target: GoMap, source: GoMap, place: Place): GoMap {
    const hadValue = new Set<string>();
    target.forEach((given, key) => {
      if (given !== null) return;
      if (source.has(key) && source.get(key) !== null) hadValue.add(key);
      source.set(key, null);
    });
    source.forEach((value, key) => {
      const given = target.get(key);
      if (!target.has(key)) target.set(key, value);
      // A null over a value removes it; a null where there was none either stays.
      else if (given === null && place.mode === 'coalesce' && hadValue.has(key)) target.delete(key);
      else if (isTable(given) || isTable(value)) this.conflict(given, value, under(place, key));
    });
    return target;
  }

  private conflict(given: Value, value: Value, place: Place): void {
    const { path } = place;
    if (isTable(given) && isTable(value)) this.tables(given, value, place);
    else if (isTable(value))
      this.print(`warning: cannot overwrite table with non table for ${path} (${formatValue(value)})`);
    else if (isTable(given) && value !== null)
      this.print(`warning: destination for ${path} is a table. Ignoring non-table value (${formatValue(value)})`);
  }

  private print(text: string): void {
    this.notify(info(text));
  }
}

const under = ({ path, mode }: Place, key: string): Place => ({ path: join(path, key), mode });

const join = (prefix: string, key: string): string => (prefix === '' ? key : `${prefix}.${key}`);

/** Removes the nulls of a chart's defaults, at every depth, in place. */
function withoutNulls(value: Value): Value {
  if (!isTable(value)) return value;
  value.forEach((item, key) => {
    if (item === null) value.delete(key);
    else withoutNulls(item);
  });
  return value;
}
