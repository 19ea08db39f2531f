import { decodeText } from '../go/text.ts';
import { GoError, type GoMap, goTypeOf } from '../go/value.ts';
import { schemaFindings as findingsIn } from '../problem/foreign/json-schema.ts';
import type { Problem } from '../problem/problem.ts';
import { messageOf, type SourcePlace, TshelmError } from '../support/errors.ts';
import { isStackOverflow } from '../support/stack-overflow.ts';
import { brokenSchema } from './broken-schema.ts';
import { misfitProblems } from './misfit-problems.ts';
import { ignoreNotices, type Notify } from './notice.ts';
import type { CompiledSchemas } from './schema/validate.ts';
import type { Chart } from './types.ts';

/** What is wrong with a value, or with a chart's schema. */
export interface SchemaProblem {
  /** With the charts around it: `shop/db`. */
  readonly chart: string;
  /** `service.port`; '' is all values. */
  readonly path: string;
  readonly message: string;
}

export interface ValidateOptions {
  /** Gets what Helm logs: names of schemas that nobody can resolve. */
  readonly onNotice?: Notify | undefined;
  /** Reads a schema that another one refers to by an http or https URL. */
  readonly download?: ((url: string) => Promise<Uint8Array>) | undefined;
  /** Remembers the schemas that were compiled, for those who validate many values. */
  readonly compiled?: CompiledSchemas | undefined;
}

/**
 * Checks the coalesced values of a chart, and of each subchart, against its values.schema.json. Go: ToRenderValues,
 * ValidateAgainstSchema. Fails with `values-schema`, all findings of all charts in Helm's words.
 */
export async function validateValues(chart: Chart, values: GoMap, options: ValidateOptions = {}): Promise<void> {
  const findings: Finding[] = [];
  for (const check of checksOf([chart], values)) {
    const text = 'text' in check ? check.text : await schemaFindings(check.schema, check.values, options);
    findings.push({ check, text });
  }
  refuse(chart, findings);
}

/** Finds what is wrong with values by a schema, at once: from chart/schema/validate.ts. */
export type SchemaCheck = (schema: Uint8Array, values: GoMap) => string;

/** The same without waiting, for schemas that need no download. */
export function validateValuesSync(chart: Chart, values: GoMap, check: SchemaCheck): void {
  const findings = checksOf([chart], values).map((one) => ({
    check: one,
    text: 'text' in one ? one.text : orMessage(() => check(one.schema, one.values)),
  }));
  refuse(chart, findings);
}

/** A chart whose values its schema has to allow, or whose values are wrong already; the charts from the outermost to it. */
type Check =
  | { readonly charts: readonly Chart[]; readonly schema: Uint8Array; readonly values: GoMap }
  | { readonly charts: readonly Chart[]; readonly text: string };

interface Finding {
  readonly check: Check;
  readonly text: string;
}

/** A chart first, then its subcharts. */
function checksOf(charts: readonly Chart[], values: GoMap): Check[] {
  const { schema, dependencies = [] } = charts.at(-1) ?? {};
  const checks: Check[] = schema === undefined ? [] : [{ charts, schema, values }];
  for (const child of dependencies) {
    const childValues = values.get(child.metadata.name) ?? null;
    const inside = [...charts, child];
    if (childValues instanceof Map) checks.push(...checksOf(inside, childValues));
    else if (childValues !== null)
      checks.push({
        charts: inside,
        text: `invalid type for values: expected object (map), got ${goTypeOf(childValues)}\n`,
      });
  }
  return checks;
}

function refuse(chart: Chart, findings: readonly Finding[]): void {
  const wrong = findings.filter(({ text }) => text !== '');
  if (wrong.length === 0) return;
  const texts = wrong.map(({ check, text }) => `${check.charts.at(-1)?.metadata.name}:\n${text}`);
  const problems = wrong.flatMap(problemsIn);
  const place = wrong.flatMap((finding) => brokenPlace(finding, problems))[0];
  throw new TshelmError('values-schema', {
    message: `values don't meet the specifications of the schema(s) in the following chart(s):\n${texts.join('')}`,
    details: {
      chart: chart.metadata.name,
      misfits: wrong.flatMap(misfitsIn),
      ...(problems.length > 0 && { problems }),
      ...(place !== undefined && { place }),
    },
  });
}

/** What the validator says of values; anything else is about the schema. */
const isOfValues = (text: string): boolean => text.startsWith('- at ');

function problemsIn({ check, text }: Finding): readonly Problem[] {
  if (!('schema' in check)) return [];
  const { charts, schema, values } = check;
  return isOfValues(text)
    ? misfitProblems({ charts, values, findings: text })
    : brokenSchema({ file: schemaFile(charts), schema }, text);
}

const schemaFile = (charts: readonly Chart[]): string =>
  `${charts.map(({ metadata }) => metadata.name).join('/charts/')}/values.schema.json`;

/** The first line of a schema that cannot be used. */
function brokenPlace({ check, text }: Finding, problems: readonly Problem[]): readonly SourcePlace[] {
  if (!('schema' in check) || isOfValues(text)) return [];
  const file = schemaFile(check.charts);
  const [place] = problems.flatMap(({ places }) => places).filter((one) => one.kind === 'file' && one.file === file);
  if (place?.kind !== 'file' || place.line === undefined) return [];
  return [{ file, line: place.line, column: place.column, text: decodeText(check.schema) }];
}

/** A schema that is wrong itself is told of as one: the places in it are none of the values. */
function misfitsIn({ check, text }: Finding): readonly SchemaProblem[] {
  const chart = check.charts.map(({ metadata }) => metadata.name).join('/');
  const found = (isOfValues(text) ? findingsIn(text) : []).map(({ keys, reason }) => ({
    chart,
    path: keys.join('.'),
    message: reason,
  }));
  return found.length > 0 ? found : [{ chart, path: '', message: text.trim() }];
}

/** What is wrong with the values of one chart by its schema, or with the schema; '' for nothing. Go: ValidateAgainstSingleSchema. */
export async function schemaFindings(
  schema: Uint8Array,
  values: GoMap,
  { onNotice = ignoreNotices, download, compiled }: ValidateOptions = {},
): Promise<string> {
  // Nobody waits for the validator who has no schema.
  const { validateAgainstSchema } = await import('./schema/validate.ts');
  return validateAgainstSchema(schema, values, { notify: onNotice, download, compiled }).catch(failureText);
}

function orMessage(check: () => string): string {
  try {
    return check();
  } catch (error) {
    return failureText(error);
  }
}

/** A full stack is no finding: a larger one may hold it. */
function failureText(error: unknown): string {
  if (isStackOverflow(error))
    throw new GoError('unable to validate schema: values or schema are nested too deeply', { cause: error });
  return messageOf(error);
}
