import type { Plan, Unit } from '../../plan/types.ts';
import type { PlanInGraph } from '../diagram.ts';
import { pictureOf, unitPicture } from '../picture.ts';
import type { Picture } from '../picture-types.ts';
import { plansPicture } from '../plans-picture.ts';
import { isFree, namespaceText, summaryText, waitText } from '../words.ts';
import { graphPage } from './graph-page.ts';

const columnsText =
  'From left to right: everything in one column runs together, and the next column starts when all of it is ready.';

const freeText =
  'An object starts as soon as everything that an arrow leads from is ready; columns only show the depth.';

/** A plan as one HTML page ({@link graphPage}): its steps, and what is in them. */
export const planPage = (plan: Plan): string =>
  graphPage({
    title: `${plan.action} ${plan.release} in ${namespaceText(plan)}`,
    remark: [waitText(plan), ...(plan.changes ? [summaryText(plan.changes)] : [])].join('; '),
    picture: pictureOf(plan),
    about: `${isFree(plan) ? freeText : columnsText} Select a box to see what it contains and why it is there.`,
    warnings: plan.warnings,
  });

/** The plans of several releases as one HTML page: a box for each, with its steps inside, after those that it needs. */
export const graphPlansPage = (plans: readonly PlanInGraph[]): string =>
  graphPage({
    title: `Plans of ${plans.length} releases`,
    picture: plansPicture(plans),
    about:
      'From left to right: each release starts when the releases that it needs are done. Open a release to see its steps, and select a box to see what it contains and why it is there.',
    warnings: plans.flatMap(({ id, plan }) => plan.warnings.map((text) => `${id}: ${text}`)),
  });

/** The order of a chart and its subcharts, of which the resources are not known, as one HTML page. */
export const chartOrderPage = (unit: Unit): string =>
  graphPage({
    title: `Order of chart ${unit.name}`,
    picture: unitPicture(unit, 'chart'),
    about: `${columnsText} Select a box to see what it waits for and where that is declared.`,
    warnings: [],
  });

/** The releases of a stack in their order as one HTML page. */
export const stackOrderPage = (title: string, picture: Picture): string =>
  graphPage({
    title,
    picture,
    about:
      'From left to right: each release starts when the releases that it needs are done; each column needs only what is to its left. Select a release to see what it needs.',
    warnings: [],
  });
