import { writeJson } from '../../go/json/json.ts';
import type { Value } from '../../go/value.ts';
import { writeJson as writeExactJson } from '../../support/exact-json.ts';
import { escapedJson } from '../../support/json.ts';
import { writePlainYaml, writeYaml } from '../../yaml/index.ts';

/** Data as `-o json` (one line, fields in their order) or `-o yaml` (sorted keys) prints it. */
export const formatted = (data: unknown, format: 'json' | 'yaml'): string =>
  format === 'json' ? `${escapedJson(writeExactJson(data))}\n` : writePlainYaml(data);

/** Template values, such as a release's values, in the same formats. */
export const formattedValue = (value: Value, format: 'json' | 'yaml'): string =>
  format === 'json' ? `${writeJson(value)}\n` : writeYaml(value);
