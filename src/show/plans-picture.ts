import { bundled } from './bundles.ts';
import type { PlanInGraph } from './diagram.ts';
import { arrowsBetween } from './diagram.ts';
import { pictureOf } from './picture.ts';
import type { Picture, PictureBox } from './picture-types.ts';

/** The plans of several releases, each after those that it needs; they come in such an order. */
export function plansPicture(plans: readonly PlanInGraph[]): Picture {
  const ids = new Map(plans.map(({ id }, index) => [id, `release${index + 1}`]));
  const levels = new Map<string, number>();
  for (const { id, needs } of plans) levels.set(id, Math.max(0, ...needs.map((need) => (levels.get(need) ?? -1) + 1)));
  const count = Math.max(0, ...levels.values()) + 1;
  const columns = Array.from({ length: count }, (_one, level) => ({
    caption: count > 1 ? `group ${level + 1}` : '',
    boxes: plans.filter(({ id }) => levels.get(id) === level).map((one) => releaseBox(one, ids.get(one.id) as string)),
  }));
  return { columns, ...bundled(columns, arrowsBetween(plans, ids), 'stack') };
}

const releaseBox = ({ id: name, needs, plan }: PlanInGraph, id: string): PictureBox => ({
  id,
  kind: 'release',
  title: `${plan.action} ${name}`,
  contents: [],
  reasons: needs.length === 0 ? ['needs nothing else that changes'] : needs.map((need) => `needs ${need}`),
  inside: pictureOf(plan, `${id}_`),
});
