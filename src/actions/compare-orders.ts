import type { Context } from '../change/context.ts';
import { readOrderFile } from '../chart/order-file.ts';
import type { Chart } from '../chart/types.ts';
import { isOneBatch } from '../plan/arrange.ts';
import { withOrderFile } from '../plan/outside-order.ts';
import type { Plan, WaitStrategy } from '../plan/types.ts';
import type { Rehearsal } from './rehearsal/rehearsal.ts';
import { type RehearsedChange, type RehearseOptions, rehearse } from './rehearse.ts';
import { suggestOrder } from './suggest-order.ts';

/** A change of a chart, which can be deployed in several orders. */
export type ChartChange = Extract<RehearsedChange, { readonly chart: Chart }>;

export interface ComparedOrder {
  /** `declared` by the chart or an order file; left out where nothing declares one. */
  readonly order: 'none' | 'declared' | 'suggested';
  readonly rehearsal: Rehearsal;
}

/** What `fail` is where nobody says it: an order spares restarts only where programs crash without it. */
export const comparedFailure = '*=crash-until-ready';

/**
 * Rehearses a change with no order, with the declared one and with the suggested one. Errors: those of
 * rehearse().
 */
export async function compareOrders(
  change: ChartChange,
  options: RehearseOptions,
  live?: Context,
): Promise<readonly ComparedOrder[]> {
  const rehearsed = async (chart: Chart, wait: WaitStrategy): Promise<Rehearsal> => {
    const ordered = { ...change, chart, options: { ...change.options, wait, waitForJobs: true } } as ChartChange;
    return (await rehearse(ordered, { ...options, fail: options.fail ?? comparedFailure }, live)).rehearsal;
  };
  const plain = { ...change.chart, order: undefined };
  const none = await rehearsed(plain, 'watcher');
  const declared = await rehearsed(change.chart, 'ordered');
  const given = { name: change.options.name, namespace: options.namespace, now: options.rendering.now };
  const { text } = await suggestOrder(plain, change.values, given);
  const suggested = await rehearsed(withOrderFile(plain, readOrderFile(text, 'the suggested order')), 'ordered');
  return [
    { order: 'none', rehearsal: none },
    ...(isUnordered(declared.plan) ? [] : [{ order: 'declared' as const, rehearsal: declared }]),
    { order: 'suggested', rehearsal: suggested },
  ];
}

/** Nothing declares an order. */
const isUnordered = ({ steps }: Plan): boolean => steps.every((step) => step.kind !== 'apply' || isOneBatch(step.unit));
