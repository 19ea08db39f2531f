import { messageOf, TshelmError } from '../support/errors.ts';
import { type GoMap, goTypeOf } from '../support/value.ts';
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
  const findings = await findingsOf(chart, values, options);
  if (findings === '') return;
  throw new TshelmError('values-schema', {
    message: `values don't meet the specifications of the schema(s) in the following chart(s):\n${findings}`,
    details: { chart: chart.metadata.name },
  });
}

async function findingsOf(chart: Chart, values: GoMap, options: ValidateOptions): Promise<string> {
  const own = chart.schema === undefined ? '' : await schemaFindings(chart.schema, values, options);
  const parts = own === '' ? [] : [`${chart.metadata.name}:\n${own}`];
  for (const child of chart.dependencies) {
    const { name } = child.metadata;
    const childValues = values.get(name) ?? null;
    if (childValues instanceof Map) parts.push(await findingsOf(child, childValues, options));
    else if (childValues !== null)
      parts.push(`${name}:\ninvalid type for values: expected object (map), got ${goTypeOf(childValues)}\n`);
  }
  return parts.join('');
}

/** What is wrong with the values of one chart by its schema, or with the schema; '' for nothing. Go: ValidateAgainstSingleSchema. */
export async function schemaFindings(
  schema: Uint8Array,
  values: GoMap,
  { onNotice = ignoreNotices, download }: ValidateOptions = {},
): Promise<string> {
  // Nobody waits for the validator who has no schema.
  const { validateAgainstSchema } = await import('./schema/validate.ts');
  try {
    return await validateAgainstSchema(schema, values, { notify: onNotice, download });
  } catch (error) {
    if (error instanceof RangeError) return 'unable to validate schema: values or schema are nested too deeply';
    return messageOf(error);
  }
}
