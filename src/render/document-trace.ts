import { splitDocuments } from '../manifest/split.ts';
import type { RunTrace } from '../template/trace.ts';
import { readPlainYaml } from '../yaml/index.ts';
import { withoutNoValue } from './engine-functions.ts';

/** An object in what a template printed. */
export interface DocumentTrace {
  /** As it was printed, whether or not that is an object. */
  readonly object: unknown;
  readonly text: string;
  /** The line of the printed text at which it begins; counts from 1. */
  readonly line: number;
  readonly trace: RunTrace;
}

/** The objects that a template printed; to read one that is no YAML fails. */
export function documentsOf(trace: RunTrace): readonly DocumentTrace[] {
  const whole = withoutNoValue(trace.text);
  let at = 0;
  return splitDocuments(whole).map((text) => {
    const from = whole.indexOf(text, at);
    at = from + text.length;
    const line = whole.slice(0, from).split('\n').length;
    let object: unknown;
    return {
      get object() {
        object ??= readPlainYaml(text);
        return object;
      },
      text,
      line,
      trace,
    };
  });
}
