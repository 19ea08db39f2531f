import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { mergeTables } from '../chart/coalesce.ts';
import { deepCopy } from '../chart/tables.ts';
import { withPathErrors } from '../go/path-error.ts';
import { decodeText } from '../go/text.ts';
import { GoError, type GoMap } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { writeYaml } from '../yaml/index.ts';
import { readAnyMap } from './documents/documents.ts';
import { valueAtSetPath } from './suite/set-path.ts';
import type { Suite, TestJob } from './suite/types.ts';

/**
 * The values that a test gives the chart, as YAML: values files, then what the suite sets, then what the test sets. A suite of
 * a subchart gives them to that subchart. Throws GoError.
 */
export function userValues(test: TestJob, suite: Suite, readFile: (path: string) => GoMap): string {
  const charts = suite.chartRoute.split('/').filter((_, index) => index % 2 === 0);
  let base: GoMap = new Map();
  const add = (values: GoMap): void => {
    base = mergeTables(scoped(charts, values), base);
  };
  for (const file of [...suite.values, ...test.values]) {
    const path = posix.isAbsolute(file) ? file : posix.join(posix.dirname(suite.file), file);
    add(deepCopy(valuesIn(path, file, readFile)));
  }
  for (const set of [suite.set, test.set]) {
    for (const [path, value] of set) add(valueAtSetPath(path, deepCopy(value)));
  }
  return writeYaml(base);
}

function valuesIn(path: string, name: string, readFile: (path: string) => GoMap): GoMap {
  try {
    return readFile(path);
  } catch (error) {
    if (error instanceof UnreadableFile) throw error;
    throw new GoError(`failed to parse ${name}: ${messageOf(error)}`, { cause: error });
  }
}

class UnreadableFile extends GoError {}

/** A values file; one without content has none. Throws GoError. */
export function readValuesFile(path: string, absolute: string): GoMap {
  return readAnyMap(decodeText(bytesOf(path, absolute)));
}

function bytesOf(path: string, absolute: string): Uint8Array {
  try {
    return withPathErrors('open', path, () => readFileSync(absolute));
  } catch (error) {
    throw new UnreadableFile(messageOf(error), { cause: error });
  }
}

/** The values as the outermost chart gets them: below the names of its subcharts, with `global` at each level. */
function scoped(charts: readonly string[], values: GoMap): GoMap {
  return charts.slice(1).reduceRight((inner: GoMap, name) => {
    const outer: GoMap = new Map();
    if (inner.has('global')) outer.set('global', inner.get('global'));
    return outer.set(name, inner);
  }, values);
}
