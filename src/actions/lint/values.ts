import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { coalesceTables } from '../../chart/coalesce.ts';
import { deepCopy } from '../../chart/tables.ts';
import { cannotUnmarshal } from '../../go/json/json.ts';
import { GoError, type GoMap } from '../../go/value.ts';
import { readYaml } from '../../yaml/index.ts';
import { readText } from './folder.ts';
import { Findings, failureText, type LintMessage } from './message.ts';
import type { LintSubject } from './subject.ts';

const path = 'values.yaml';

/** values.yaml: there, readable, and with the user's values over it as its schema wants. Go: rules.ValuesWithOverrides. */
export async function valuesRule(subject: LintSubject): Promise<readonly LintMessage[]> {
  const found = new Findings();
  const file = `${subject.directory}/${path}`;
  if (found.info(path, existsSync(file) ? undefined : 'file does not exist'))
    found.error(path, await problemOf(file, subject));
  return found.messages;
}

async function problemOf(file: string, subject: LintSubject): Promise<string | undefined> {
  try {
    const values = readValues(readText(file));
    return await schemaProblem(values, subject);
  } catch (cause) {
    return `unable to parse YAML: ${failureText(cause)}`;
  }
}

/** Only the first document, unlike the loader (common.ReadValues). */
function readValues(text: string): GoMap {
  const values = readYaml(text);
  if (values === null) return new Map();
  if (values instanceof Map) return values;
  throw new GoError(
    `error unmarshaling JSON: while decoding JSON: ${cannotUnmarshal(values, 'common.Values').message}`,
  );
}

/** The schema sees the chart's own values only: those of its subcharts are not filled in. */
async function schemaProblem(values: GoMap, subject: LintSubject): Promise<string | undefined> {
  const { directory, notify, skipSchemaValidation = false, downloadSchema: download } = subject;
  const overridden = coalesceTables(coalesceTables(new Map(), deepCopy(subject.values), notify), values, notify);
  // Most charts have no schema.
  const schema = await readFile(`${directory}/values.schema.json`).catch(() => new Uint8Array(0));
  if (schema.length === 0 || skipSchemaValidation) return undefined;
  const { schemaFindings } = await import('../../chart/validate-values.ts');
  return (await schemaFindings(schema, overridden, { onNotice: notify, download })) || undefined;
}
