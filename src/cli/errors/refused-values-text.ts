import { nameOfKeys } from '../../chart/tables.ts';
import { addedDetail, hasCode } from '../../support/errors.ts';
import type { OnDisk } from './chart-file.ts';
import { labelled, setTo } from './fault-text.ts';

/** Where the values are set that a schema refuses, a line each; '' where that is not known. */
export function refusedValuesText(failure: unknown, onDisk: OnDisk): string {
  if (!hasCode(failure, 'values-schema')) return '';
  const lines = (addedDetail(failure, 'faults') ?? []).flatMap(({ keys = [], value, file, line, flag, fix }) => {
    const wish = fix === undefined ? [] : [labelled('fix', fix)];
    const set = `${nameOfKeys(keys)} is ${setTo(value)}`;
    if (flag !== undefined) return [labelled('value', `${set}by ${flag}`), ...wish];
    if (file === undefined || line === undefined || keys.length === 0)
      return fix?.startsWith('set ') === true ? wish : [];
    return [labelled('value', `${set}in ${onDisk(file)}:${line}`), ...wish];
  });
  return [...new Set(lines)].map((line) => `  ${line}`).join('\n');
}
