import { fixDrift } from '../actions/fix-drift.ts';
import { install } from '../actions/install.ts';
import { rollback } from '../actions/rollback.ts';
import { uninstall } from '../actions/uninstall.ts';
import { upgrade } from '../actions/upgrade.ts';
import type { Context, DecidedChange } from '../change/context.ts';
import type { RenderAgain, Rendered } from '../change/rendering/render.ts';
import type { Remark } from '../execute/remark.ts';
import type { Release } from '../release/types.ts';
import { TshelmError, unreachable } from '../support/errors.ts';
import type { ChangeToSave } from './save.ts';

/** A change of a release that is to be decided: an action with its options, and the chart that it brings. */
export interface RequestedChange
  extends Pick<ChangeToSave, 'action' | 'name' | 'options' | 'chart' | 'kubeContext' | 'id' | 'needs'> {
  /** The revisions of the release that matter, where the caller has read them already. */
  readonly history?: readonly Release[] | undefined;
}

export interface DecidedChangeToSave extends ChangeToSave {
  /** What a run would say beside its plan. */
  readonly remarks: readonly Remark[];
}

/** Plans a change exactly as a real run would, and applies nothing. Errors: those of the action until its plan is decided. */
export async function decideChange(request: RequestedChange, context: Context): Promise<DecidedChangeToSave> {
  const { action, name, options, chart } = request;
  const storage = await context.storage();
  const { history = await storage.revisions(name) } = request;
  let decided: DecidedChange | undefined;
  const said: Remark[] = [];
  let rendered: Rendered | undefined;
  let renderAgain: RenderAgain | undefined;
  const watched: Context = {
    ...context,
    storage: async () => ({ ...storage, revisions: async () => history }),
    onEvent: (event) => {
      if (event.kind === 'note' || event.kind === 'warning') said.push(event);
    },
    onDecided: async (one) => {
      decided ??= one;
    },
    rendering: {
      ...context.rendering,
      afterRender: async (one, again) => {
        renderAgain = again;
        rendered = one;
        return one;
      },
    },
  };
  const all = { ...options, name };
  switch (action) {
    case 'install':
    case 'upgrade': {
      if (chart === undefined) throw new Error('internal: this change needs a chart');
      const act = action === 'install' ? install : upgrade;
      await act(chart.chart, chart.values, { ...all, dryRun: 'plan' }, watched);
      break;
    }
    case 'rollback':
      await rollback({ ...all, dryRun: 'plan' }, watched);
      break;
    case 'uninstall':
      await uninstall({ ...all, dryRun: true }, watched);
      break;
    case 'fix':
      await fixDrift({ ...all, dryRun: 'plan' }, watched);
      break;
    default:
      return unreachable(action);
  }
  if (decided === undefined) {
    throw new TshelmError('release-not-found', {
      message: `there is nothing to plan: no release "${name}"`,
      details: { release: name },
    });
  }
  // What the plan says itself is shown with it.
  const { warnings } = decided.plan;
  const remarks = said.filter(({ text }) => !warnings.includes(text));
  return { ...request, decided, rendered, renderAgain, history, remarks };
}
