import { readCrds, readObjects } from '../../actions/check/given-objects.ts';
import type { CheckOptions } from '../../actions/check.ts';
import type { CliContext } from '../context.ts';
import { loadRequest } from './load-request.ts';
import type { NamedChart } from './named-chart.ts';

/** Paths that --crds and --policies name. */
interface GivenPaths {
  readonly crds?: readonly string[] | undefined;
  readonly policies?: readonly string[] | undefined;
}

/** What --crds and --policies name. Errors: those of readObjects. */
export async function givenObjects(
  { crds = [], policies = [] }: GivenPaths,
  { flags, access }: Pick<NamedChart, 'flags' | 'access'>,
  context: CliContext,
): Promise<Pick<CheckOptions, 'crds' | 'policies'>> {
  const plainAccess = { ...access, order: undefined, version: undefined };
  const load = async (reference: string) =>
    (await loadRequest({ reference, flags, access: plainAccess, values: {} }, context)).chart;
  return {
    crds: (await Promise.all(crds.map((path) => readCrds(path, load)))).flat(),
    policies: (await Promise.all(policies.map((path) => readObjects(path, load)))).flat(),
  };
}
