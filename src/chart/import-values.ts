import { formatValue } from '../go/fmt/format.ts';
import { quote } from '../go/strconv/strconv.ts';
import { type GoMap, goTypeOf, type Value, withGoType } from '../go/value.ts';
import { mergeChartValues, mergeTables } from './coalesce.ts';
import { type Notify, warn } from './notice.ts';
import { deepCopy, isTable, lookUpTable } from './tables.ts';
import type { WorkingChart, WorkingDependency } from './working-chart.ts';

/**
 * Puts what each chart imports from its subcharts among its own values, from the bottom of the tree up; the chart's
 * own values win. Go: processDependencyImportValues.
 */
export function importValues(chart: WorkingChart, notify: Notify): void {
  for (const child of chart.dependencies) importValues(child, notify);
  const listed = chart.metadata.dependencies;
  if (listed === undefined) return;
  const values = mergeChartValues(chart, new Map(), notify);
  const imported: GoMap = new Map();
  for (const entry of listed) importFrom(entry, values, imported, notify);
  chart.values = mergeTables(deepCopy(values), imported, notify);
}

function importFrom(entry: WorkingDependency, values: GoMap, imported: GoMap, notify: Notify): void {
  const imports = (entry.importValues ?? []).map(importOf).filter((item) => item !== undefined);
  for (const { child, parent, isExport } of imports) {
    const found = lookUpTable(values, `${entry.name}.${child}`);
    if (found.kind === 'table') mergeTables(imported, nested(parent, found.table), notify);
    else notify(missingTable(entry.name, found.key, isExport));
  }
  entry.importValues = imports.map(({ child, parent }) =>
    withGoType(
      new Map<string, Value>([
        ['child', child],
        ['parent', parent],
      ]),
      'map[string]string',
    ),
  );
}

interface Import {
  readonly child: string;
  readonly parent: string;
  /** Written as one word: what the subchart has below `exports`. */
  readonly isExport: boolean;
}

function importOf(item: unknown): Import | undefined {
  if (typeof item === 'string') return { child: `exports.${item}`, parent: '.', isExport: true };
  const table = item as Value;
  // After a first processing the items are Go maps of another type, which Helm leaves out.
  if (!isTable(table) || goTypeOf(table) !== 'map[string]interface {}') return undefined;
  return { child: text(table.get('child')), parent: text(table.get('parent')), isExport: false };
}

const text = (value: Value): string => formatValue(value ?? null);

/** The table at a path of tables; `.` is the top. */
const nested = (path: string, table: GoMap): GoMap =>
  path === '.' ? table : path.split('.').reduceRight<GoMap>((inner, key) => new Map([[key, inner]]), table);

const missingTable = (chart: string, key: string, isExport: boolean) =>
  isExport
    ? warn('ImportValues missing table', { error: `${quote(key)} is not a table` })
    : warn('ImportValues missing table from chart', { chart, error: `${quote(key)} is not a table` });
