import { GoInt, GoObject, goTypeOf, type Value } from '../../go/value.ts';
import { asYaml } from '../documents/text.ts';
import type { Judge } from './assertion.ts';
import { eachDocument, eachValue, failed, foundAt, passed } from './each.ts';
import { errorLines, expectationLines, type FoundAt, pathLines } from './lines.ts';
import type { Parameters } from './parameters.ts';

/** `exists`: something is at the path, null included. */
export function exists(parameters: Parameters): Judge {
  const path = parameters.text('path');
  return (context) => {
    const missed = (at: FoundAt): string[] =>
      pathLines(path, `expected to ${context.isNegative ? 'NOT ' : ''}exists`, at);
    return eachDocument(
      context,
      () => missed({}),
      (document, index) => {
        const values = foundAt(document, path);
        if ('error' in values) return failed(errorLines(values.error, { document: index }));
        return values.found.length > 0 === context.isNegative ? failed(missed({ document: index })) : passed;
      },
      path,
    );
  };
}

/** `isNullOrEmpty`: what is at the path is null, or its type's zero. */
export function isNullOrEmpty(parameters: Parameters): Judge {
  const path = parameters.text('path');
  return (context) => {
    const missed = (value: Value, at: FoundAt): string[] =>
      expectationLines(
        { words: ' to be null or empty, got', isNegative: context.isNegative, path, expected: asYaml(value) },
        at,
      );
    return eachValue(context, { path, none: () => missed('no manifest found', {}) }, (value, at) =>
      isEmpty(value) === context.isNegative ? failed(missed(value, at)) : passed,
    );
  };
}

function isEmpty(value: Value): boolean {
  if (value instanceof Map) return value.size === 0;
  if (Array.isArray(value)) return value.length === 0;
  if (value instanceof GoInt) return value.value === 0n;
  return !(value instanceof GoObject) && !value;
}

/** `isType`: the Go type that the YAML library gives the value. */
export function isType(parameters: Parameters): Judge {
  const path = parameters.text('path');
  const type = parameters.text('type');
  return (context) => {
    const missed = (actual: string, at: FoundAt): string[] =>
      expectationLines({ words: ' to be of type', isNegative: context.isNegative, path, expected: type, actual }, at);
    return eachValue(context, { path, none: () => missed('no manifest found', {}) }, (value, at) => {
      const actual = value === null || value === undefined ? '' : goTypeOf(value);
      return (actual === type) === context.isNegative ? failed(missed(actual, at)) : passed;
    });
  };
}
