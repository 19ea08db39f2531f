import { type LabelTest, parseLabelSelector } from '../go/label-selector.ts';
import { messageOf, TshelmError } from '../support/errors.ts';

/** Reads a label selector. Errors: `invalid-selector`, in Kubernetes' words. */
export function parseSelector(selector: string): LabelTest {
  try {
    return parseLabelSelector(selector);
  } catch (cause) {
    throw new TshelmError('invalid-selector', { message: messageOf(cause), details: { selector }, cause });
  }
}
