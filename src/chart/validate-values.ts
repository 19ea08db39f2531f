import { type GoMap, goTypeOf } from '../go/value.ts';
import { messageOf, TshelmError } from '../support/errors.ts';
import { ignoreNotices, type Notify } from './notice.ts';
import type { Chart } from './types.ts';

export interface ValidateOptions {
  /** Gets what Helm logs: names of schemas that nobody can resolve. */
  readonly onNotice?: Notify | undefined;
  /** Reads a schema that another one refers to by an http or https URL. */
  readonly download?: ((url: string) => Promise<Uint8Array>) | undefined;
}

/**
 * Checks the coalesced values of a chart, and of each subchart, against its values.schema.json. Go: ToRenderValues,
 * ValidateAgainstSchema. Fails with `values-schema`, all findings of all charts in Helm's words.
 */
export async function validateValues(chart: Chart, values: GoMap, options: ValidateOptions = {}): Promise<void> {
  const findings: string[] = [];
  for (const check of checksOf(chart, values)) {
    const text = 'text' in check ? check.text : await schemaFindings(check.schema, check.values, options);
    findings.push(headed(check.chart, text));
  }
  refuse(chart, findings.join(''));
}

/** Finds what is wrong with values by a schema, at once: from chart/schema/validate.ts. */
export type SchemaCheck = (schema: Uint8Array, values: GoMap) => string;

/** The same without waiting, for schemas that need no download. */
export function validateValuesSync(chart: Chart, values: GoMap, check: SchemaCheck): void {
  const findings = checksOf(chart, values).map((one) =>
    headed(one.chart, 'text' in one ? one.text : orMessage(() => check(one.schema, one.values))),
  );
  refuse(chart, findings.join(''));
}

/** A chart whose values its schema has to allow, or whose values are wrong already. */
type Check =
  | { readonly chart: string; readonly schema: Uint8Array; readonly values: GoMap }
  | { readonly chart: string; readonly text: string };

/** A chart first, then its subcharts. */
function checksOf(chart: Chart, values: GoMap): Check[] {
  const { schema, metadata, dependencies } = chart;
  const checks: Check[] = schema === undefined ? [] : [{ chart: metadata.name, schema, values }];
  for (const child of dependencies) {
    const { name } = child.metadata;
    const childValues = values.get(name) ?? null;
    if (childValues instanceof Map) checks.push(...checksOf(child, childValues));
    else if (childValues !== null)
      checks.push({
        chart: name,
        text: `invalid type for values: expected object (map), got ${goTypeOf(childValues)}\n`,
      });
  }
  return checks;
}

const headed = (chart: string, text: string): string => (text === '' ? '' : `${chart}:\n${text}`);

function refuse(chart: Chart, findings: string): void {
  if (findings === '') return;
  throw new TshelmError('values-schema', {
    message: `values don't meet the specifications of the schema(s) in the following chart(s):\n${findings}`,
    details: { chart: chart.metadata.name },
  });
}

/** What is wrong with the values of one chart by its schema, or with the schema; '' for nothing. Go: ValidateAgainstSingleSchema. */
export async function schemaFindings(
  schema: Uint8Array,
  values: GoMap,
  { onNotice = ignoreNotices, download }: ValidateOptions = {},
): Promise<string> {
  // Nobody waits for the validator who has no schema.
  const { validateAgainstSchema } = await import('./schema/validate.ts');
  return validateAgainstSchema(schema, values, { notify: onNotice, download }).catch(failureText);
}

function orMessage(check: () => string): string {
  try {
    return check();
  } catch (error) {
    return failureText(error);
  }
}

const failureText = (error: unknown): string =>
  error instanceof RangeError ? 'unable to validate schema: values or schema are nested too deeply' : messageOf(error);
