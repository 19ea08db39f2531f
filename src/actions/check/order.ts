import type { Chart } from '../../chart/types.ts';
import { objectSubject } from '../../execute/faults.ts';
import { hasObject } from '../../manifest/parse.ts';
import type { Classified } from '../../manifest/types.ts';
import { manifestOfHook } from '../../plan/arrange.ts';
import { declaresOrder, plainWait } from '../../plan/choice.ts';
import type { Hazard } from '../../plan/hazards/hazard.ts';
import { hazardsOf } from '../../plan/hazards/hazards.ts';
import { hookProblems } from '../../plan/hook-mistakes.ts';
import { hookModesOf } from '../../plan/hook-modes.ts';
import { misspeltAnnotations } from '../../plan/misspelt-keys.ts';
import { examineOrder } from '../../plan/ordered.ts';
import { planInstall } from '../../plan/plan.ts';
import type { WaitMode } from '../../plan/types.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import { Quote } from '../../problem/quote.ts';
import { splitOnce } from '../../support/text.ts';

export interface OrderOptions {
  readonly name: string;
  readonly namespace: string;
  readonly wait?: WaitMode | undefined;
  readonly noHooks?: boolean | undefined;
  readonly allowLostOrder?: boolean | undefined;
}

/** What is wrong in the order that a chart declares, and the hazards of its plan, as `plan` tells them. */
export function orderProblems(
  chart: Chart,
  prepared: Chart,
  rendered: Classified,
  options: OrderOptions,
): readonly Problem[] {
  const { name, namespace, noHooks, allowLostOrder } = options;
  const { manifests, hooks } = rendered;
  const strategy = plainWait(options.wait) ?? (declaresOrder(manifests, prepared) ? 'ordered' : 'hookOnly');
  const order =
    strategy === 'ordered'
      ? examineOrder(chart, prepared, manifests, {
          lostOrder: allowLostOrder ? 'allow' : 'refuse',
          derives: options.wait === 'auto' || chart.order?.derive,
        })
      : undefined;
  const plan = planInstall({
    release: name,
    namespace,
    strategy,
    unit: order?.unit,
    manifests,
    hooks,
    runHooks: !noHooks,
    hookModeOf: hookModesOf(prepared),
  });
  return [
    ...(order?.problems ?? []),
    ...misspeltAnnotations(prepared, rendered),
    ...[...hooks.map(manifestOfHook), ...(rendered.skipped ?? [])]
      .filter(hasObject)
      .flatMap(({ object, source }) => hookProblems(prepared, object, source)),
    ...(order?.warnings ?? []),
    ...hazardsOf(plan).map(hazardProblem),
  ];
}

function hazardProblem({ kind: hazard, source, resource, message }: Hazard): Problem {
  const [kind, name] = splitOnce(resource, '/');
  return problemOf({
    subject: objectSubject({ apiVersion: '', kind, namespace: '', name: name ?? '' }, source),
    cause: { code: 'order-hazard', hazard, words: new Quote(message) },
  });
}
