import { holderText, thisHolder } from '../release/lock/holder.ts';

/** Who makes a plan: the user and machine, and the CI job. */
export function planner(env: Readonly<Record<string, string | undefined>>): string {
  const { identity, job } = thisHolder(env);
  const [who = ''] = identity.split(' pid ');
  return holderText({ identity: who, job });
}
