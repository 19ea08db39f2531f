import { assigned, isObjectText } from '../chart/set/set-options.ts';
import { splitAssignments } from '../chart/set/split.ts';
import type { ValueFlags } from '../chart/value-options.ts';
import { writeJson } from '../go/json/json.ts';
import { splitOnce } from '../support/text.ts';
import type { LeftOut } from './types.ts';

interface KeptTexts {
  readonly kept: readonly string[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * What a file keeps of the texts of one flag for values. Of `--set replicas=4,password=x` it keeps `replicas=4`, as long as
 * that and the password later mean the same; else all keys of the text are to be given again.
 */
export function keptTexts(
  option: keyof ValueFlags,
  texts: readonly string[],
  mask: (text: string) => string,
): KeptTexts {
  const isOpen = (text: string): boolean => mask(text) === text;
  const parts = texts.map((text) => (isOpen(text) ? { kept: [text], hidden: [] } : splitText(option, text, isOpen)));
  const leftOut = parts.flatMap(({ hidden }) => (hidden.length === 0 ? [] : [{ option, key: mask(keysOf(hidden)) }]));
  return { kept: parts.flatMap(({ kept }) => kept), leftOut };
}

interface SplitText {
  readonly kept: readonly string[];
  readonly hidden: readonly string[];
}

function splitText(option: keyof ValueFlags, text: string, isOpen: (text: string) => boolean): SplitText {
  const parts = partsOf(option, text);
  const [open, hidden] = [parts.filter(isOpen), parts.filter((part) => !isOpen(part))];
  const kept = open.join(',');
  // One part may say that the next is secret: `name=PASSWORD,value=x`.
  const isKept = hidden.length > 0 && open.length > 0 && isOpen(kept);
  return isKept && isSame(option, [text], [...open, ...hidden])
    ? { kept: [kept], hidden }
    : { kept: [], hidden: parts };
}

function partsOf(option: keyof ValueFlags, text: string): readonly string[] {
  const isPairs = option === 'set' || option === 'setString' || (option === 'setJson' && !isObjectText(text));
  if (!isPairs) return [text];
  try {
    return splitAssignments(text, option === 'setJson' ? 'json' : 'text');
  } catch {
    return [text];
  }
}

/** Whether both set the same values, above anything that is there. */
function isSame(option: keyof ValueFlags, texts: readonly string[], others: readonly string[]): boolean {
  try {
    const [one, other] = [texts, others].map((all) => writeJson(assigned(new Map(), { [option]: all })));
    return one === other;
  } catch {
    return false;
  }
}

/** What may be shown of `KEY=SECRET`, and of the object that --set-json takes. */
const keysOf = (texts: readonly string[]): string =>
  texts.map((text) => (isObjectText(text) ? '{…}' : splitOnce(text, '=')[0])).join(',');
