import type { NameOptions } from '../../actions/name-and-chart.ts';
import type { ChartInputs } from '../../actions/options/chart.ts';
import type { FlagSpec, FlagsOf } from '../../change/option-rows.ts';
import type { SavedAction } from '../../saved-plan/types.ts';
import { postRendererFlags } from '../flags/chart-flags.ts';
import { formatFlag } from '../flags/flags.ts';
import { saveFlags } from '../flags/saved-plan-flags.ts';
import { dependencyUpdateFlag, offlineFlag } from '../flags/source-flags.ts';
import { planFormats } from '../output/plan-text.ts';
import type { GlobalFlags } from '../settings.ts';

export const planForms = [...planFormats, 'markdown'] as const;

/** How a plan is printed. */
export const showFlags = formatFlag('plan', planForms, {
  html: 'one page with the graph drawn',
  markdown: 'a comment for a pull request, with the diff',
});

export const diffFlag = {
  diff: { type: 'bool', description: 'show the diff of each object below the tree' },
} satisfies Record<string, FlagSpec>;

export const formFlags = { ...saveFlags, ...showFlags, ...diffFlag };
export const bringFlags = { ...postRendererFlags, ...dependencyUpdateFlag, ...offlineFlag };
/** A plan that is asked for with the command line of its action. */
export interface PlanFormRequest extends ChartInputs {
  readonly action: SavedAction;
  /** The release, and the chart where the action brings one. */
  readonly words: readonly string[];
  readonly naming: NameOptions;
  /** Of the action, but for the name. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly flags: GlobalFlags & FlagsOf<typeof formFlags> & Partial<FlagsOf<typeof bringFlags>>;
}
