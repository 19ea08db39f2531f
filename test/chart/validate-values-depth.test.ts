import { expect, test } from 'vitest';
import { schemaFindings } from '../../src/chart/validate-values.ts';
import type { GoMap } from '../../src/go/value.ts';

test('values too deep for the stack are told so, and may be tried with a larger one', async () => {
  let values: GoMap = new Map();
  for (let depth = 0; depth < 20_000; depth++) values = new Map([['a', values]]);
  const schema = Buffer.from('{"additionalProperties": {"$ref": "#"}}');
  await expect(schemaFindings(schema, values)).rejects.toMatchObject({
    message: 'unable to validate schema: values or schema are nested too deeply',
    cause: expect.any(RangeError),
  });
});
