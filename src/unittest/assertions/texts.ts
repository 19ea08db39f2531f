import { asYaml, matching } from '../documents/text.ts';
import type { Judge, Judgement } from './assertion.ts';
import { eachDocument, eachValue, failed, foundAt, passed } from './each.ts';
import { base64Decoded, rawText, undecodable } from './equality.ts';
import { errorLines, expectationLines, type FoundAt } from './lines.ts';
import type { Parameters } from './parameters.ts';

const noPattern = failed(errorLines("expected field 'pattern' to be filled"));

/** `matchRegex`: the text at the path matches Go's regular expression. */
export function matchRegex(parameters: Parameters): Judge {
  const path = parameters.text('path');
  const pattern = parameters.text('pattern');
  const isEncoded = parameters.flag('decodeBase64');
  if (pattern === '') return () => noPattern;
  return (context) => {
    const missed = (actual: string, at: FoundAt): string[] =>
      expectationLines({ words: ' to match', isNegative: context.isNegative, path, expected: pattern, actual }, at);
    const broken = matching(pattern, '');
    if (typeof broken === 'object' && context.selected.length > 0) {
      // The path of a document is followed first.
      const [first] = context.selected;
      const values = foundAt(first as NonNullable<typeof first>, path);
      if (!('error' in values)) return failed(errorLines(broken.error));
    }
    return eachValue(context, { path, none: () => missed('no manifest found', {}) }, (value, at): Judgement => {
      if (typeof value !== 'string') {
        return failed(errorLines(`expect '${path}' to be a string, got:\n${asYaml(value)}`, at));
      }
      const text = isEncoded ? base64Decoded(value) : value;
      if (text === undefined) return failed(errorLines(undecodable(value), at));
      return matching(pattern, text) === context.isNegative ? failed(missed(text, at)) : passed;
    });
  };
}

/** `matchRegexRaw`: the same of the text of a file that is no YAML. */
export function matchRegexRaw(parameters: Parameters): Judge {
  const pattern = parameters.text('pattern');
  if (pattern === '') return () => noPattern;
  return (context) => {
    const missed = (actual: string): string[] =>
      expectationLines({ words: ' to match', isNegative: context.isNegative, expected: pattern, actual });
    return eachDocument(
      context,
      () => missed('no manifest found'),
      (document): Judgement => {
        const text = rawText(document);
        const found = matching(pattern, text);
        if (typeof found === 'object') return failed(errorLines(found.error));
        return found === context.isNegative ? failed(missed(text)) : passed;
      },
    );
  };
}
