import { isDeepStrictEqual } from 'node:util';
import { NoCounterpart } from './go-values.ts';
import type { RecordedCall } from './records.ts';
import type { Twins } from './twin.ts';
import { actionTwins } from './twins/actions.ts';
import { chartTwins } from './twins/charts.ts';
import { lintTwins } from './twins/lint.ts';
import { manifestTwins } from './twins/manifests.ts';
import { sourceTwins } from './twins/source.ts';
import { templateTwins } from './twins/templates.ts';
import { valuesTwins } from './twins/values.ts';

const twins: Twins = {
  ...actionTwins,
  ...chartTwins,
  ...lintTwins,
  ...manifestTwins,
  ...sourceTwins,
  ...templateTwins,
  ...valuesTwins,
};

/** What came of one case: Helm's answer is ours too, it is another one, or tshelm cannot be asked. */
export type Verdict =
  | { readonly kind: 'agrees'; readonly call: RecordedCall }
  | { readonly kind: 'differs'; readonly call: RecordedCall; readonly go: unknown; readonly ours: unknown }
  | { readonly kind: 'no counterpart'; readonly call: RecordedCall; readonly reason: string };

/** Asks tshelm each case. Calls that only say what an argument was made of are no cases. */
export async function judge(calls: readonly RecordedCall[]): Promise<Verdict[]> {
  const verdicts: Verdict[] = [];
  for (const call of calls) {
    const twin = twins[call.op];
    if (twin === undefined) continue;
    try {
      const { go, ours } = await twin(call);
      verdicts.push(isDeepStrictEqual(go, ours) ? { kind: 'agrees', call } : { kind: 'differs', call, go, ours });
    } catch (error) {
      if (!(error instanceof NoCounterpart)) throw error;
      verdicts.push({ kind: 'no counterpart', call, reason: error.message });
    }
  }
  return verdicts;
}

/** What a difference is named by: the package, the operation and the test. */
export const nameOf = ({ call }: Verdict): string => `${call.package} ${call.op} ${call.test}`;
