import { adoptFlags, moveFlags, renameFlags } from '../actions/options/moves.ts';
import type { MoveResult, NamespacedContext } from '../change/moves/moves.ts';
import { optionsWithRows } from '../change/option-rows.ts';
import { applySavedMove, decideSavedMove, type RequestedMove, runMove } from '../saved-plan/moves.ts';
import type { SavedMove } from '../saved-plan/types.ts';
import { savePlan } from '../session/saved-plan.ts';
import { checkShape, number, refused, type Shape, text } from './option-checks.ts';
import type { AdoptOptions, ApplyOptions, ApplyResult, ChartReference, MoveOptions, RenameOptions } from './options.ts';
import { chartToSave, loadedInputs, targetOf } from './plan-inputs.ts';
import { type Session, secretsOf } from './session.ts';

type MoveFile = NonNullable<MoveOptions['save']>;

/** A move with all that its call was given. */
export type Moving =
  | { readonly kind: 'move'; readonly options: MoveOptions & Named & { readonly objects: readonly string[] } }
  | { readonly kind: 'rename'; readonly options: RenameOptions & Named }
  | {
      readonly kind: 'adopt';
      readonly options: AdoptOptions & Omit<Named, 'to'> & { readonly objects: readonly string[] };
      readonly chart: ChartReference;
    };

interface Named {
  readonly name: string;
  readonly to: string;
}

/** Carries a move out, shows it with `dryRun`, or writes it to a file with `save`. Errors: those of the move, `bad-options`. */
export async function moved(moving: Moving, context: NamespacedContext, session: Session): Promise<MoveResult> {
  const { save, dryRun = false } = moving.options;
  if (save === undefined) return runMove(await requestOf(moving, session), dryRun, context);
  checkShape(save, moveShape, 'save.');
  const target = targetOf(save, session);
  const chart = moving.kind === 'adopt' ? await chartToSave(moving.chart, moving.options, session) : undefined;
  const request = await requestOf(moving, session, chart);
  const { saved, result } = await decideSavedMove(request, { kubeContext: undefined, chart }, context);
  await savePlan([], { ...target, move: saved });
  return result;
}

const moveShape: Shape<MoveFile> = { expiresInMs: number, file: text, signKey: text };

/** With the options of the action alone, as a file keeps them. */
async function requestOf(
  moving: Moving,
  session: Session,
  given?: Awaited<ReturnType<typeof chartToSave>>,
): Promise<RequestedMove> {
  const { name } = moving.options;
  switch (moving.kind) {
    case 'move': {
      const { to, objects } = moving.options;
      return { kind: 'move', options: { ...optionsWithRows(moveFlags, moving.options), name, to, objects } };
    }
    case 'rename':
      return {
        kind: 'rename',
        options: { ...optionsWithRows(renameFlags, moving.options), name, to: moving.options.to },
      };
    case 'adopt': {
      const chart = given ?? (await session.chartAndValues(moving.chart, moving.options));
      const { objects } = moving.options;
      return { kind: 'adopt', options: { ...optionsWithRows(adoptFlags, moving.options), name, objects }, chart };
    }
    default:
      return moving satisfies never;
  }
}

/** Carries out the move of a file. Errors: `bad-options`, those of `tshelm apply`. */
export async function appliedMove(
  saved: SavedMove,
  options: ApplyOptions,
  contextOf: (namespace: string) => Promise<NamespacedContext>,
  session: Session,
): Promise<ApplyResult> {
  if (options.allow !== undefined) throw refused('allow', 'allow has no effect: the plan is of a move');
  const own = { ...options, namespace: saved.namespace };
  const inputs = saved.inputs && (await loadedInputs({}, saved.inputs, own, session));
  const { plan, warnings } = await applySavedMove(saved, inputs, await contextOf(saved.namespace));
  return { action: saved.kind, move: plan, warnings: warnings.map((one) => secretsOf(options).redact(one)) };
}
