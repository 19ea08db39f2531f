import type { Context } from '../change/context.ts';
import { newestOfEach } from '../release/history.ts';
import { unixSeconds } from '../release/time.ts';
import type { Release } from '../release/types.ts';
import { compareText } from '../support/order.ts';
import type { ListOptions } from './options/readings.ts';

/** The newest revision of each release (of superseded ones, when only those are asked for, every one). Follows action.List. */
export async function list(options: ListOptions, context: Context): Promise<readonly Release[]> {
  const { statuses, matches = () => true, labelSelector, limit = 0, offset = 0 } = options;
  const onlySuperseded = statuses?.length === 1 && statuses[0] === 'superseded';
  const storage = await context.storage();
  const releases = await storage.list({
    namespace: options.allNamespaces ? '' : context.namespace,
    newestOnly: !onlySuperseded,
    labelSelector,
    isBrief: true,
  });
  const wanted = (onlySuperseded ? releases : newestOfEach(releases)).filter(
    ({ name, info }) => matches(name) && (statuses === undefined || statuses.includes(info.status)),
  );
  const sorted = sort(wanted, options);
  return sorted.slice(offset, limit > 0 ? offset + limit : undefined);
}

function sort(releases: readonly Release[], { byDate, reverse }: ListOptions): readonly Release[] {
  // Helm's date order ends with the newest, and --reverse turns that round.
  const compare = byDate ? compareDates : (a: Release, b: Release) => compareText(a.name, b.name);
  const sorted = [...releases].sort(compare);
  return reverse ? sorted.reverse() : sorted;
}

const compareDates = (a: Release, b: Release): number =>
  unixSeconds(a.info.lastDeployed) - unixSeconds(b.info.lastDeployed) || compareText(a.name, b.name);
