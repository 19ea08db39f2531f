import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { splitDocuments } from '../manifest/split.ts';
import type { ResourceId } from '../manifest/types.ts';
import type { RunTrace } from '../template/trace.ts';
import { readPlainYaml } from '../yaml/index.ts';
import { withoutNoValue } from './engine-functions.ts';
import type { ReRenderer } from './re-renderer.ts';

/** An object in what a template printed. */
export interface DocumentTrace {
  /** As it was printed, whether or not that is an object. */
  readonly object: unknown;
  readonly text: string;
  /** The line of the printed text at which it begins; counts from 1. */
  readonly line: number;
  readonly trace: RunTrace;
}

/** An object that a template has printed; undefined where it prints none of this kind and name. */
export const documentOf = (
  again: ReRenderer,
  file: string,
  { kind, name }: Pick<ResourceId, 'kind' | 'name'>,
): DocumentTrace | undefined => {
  const trace = again.trace(file);
  const says = ({ object }: DocumentTrace, path: FieldPath): string => String(valueAtPath(object, path) ?? '');
  const isMeant = (one: DocumentTrace): boolean =>
    says(one, ['kind']) === kind && says(one, ['metadata', 'name']) === name;
  return trace && documentsOf(trace).find(isMeant);
};

/** The objects that a template printed, read once; to read one that is no YAML fails. */
export function documentsOf(trace: RunTrace): readonly DocumentTrace[] {
  const known = read.get(trace) ?? documentsIn(trace);
  read.set(trace, known);
  return known;
}

const read = new WeakMap<RunTrace, readonly DocumentTrace[]>();

function documentsIn(trace: RunTrace): readonly DocumentTrace[] {
  const whole = withoutNoValue(trace.text);
  let [at, line] = [0, 1];
  return splitDocuments(whole).map((text) => {
    const from = whole.indexOf(text, at);
    line += newlines(whole.slice(at, from));
    const start = line;
    line += newlines(text);
    at = from + text.length;
    let object: unknown;
    return {
      get object() {
        object ??= readPlainYaml(text);
        return object;
      },
      text,
      line: start,
      trace,
    };
  });
}

const newlines = (text: string): number => text.split('\n').length - 1;
