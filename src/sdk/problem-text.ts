import type { Problem } from '../problem/problem.ts';
import { showProblemsAs } from '../support/errors.ts';
import { factText } from '../words/fact.ts';
import { codeText, detailLines, detailTexts, labelOf, mergedLines } from '../words/problem.ts';
import { remedyForPrograms } from '../words/remedy.ts';

/**
 * A problem as the command line prints it, without colours: what is wrong and its code, and below it where, what to do and
 * what it rests on. Files of a chart are named with the chart's name before them; remedies name options, not flags.
 *
 * ```
 * Deployment/web: container app: ImagePullBackOff: … (no such tag or repository) [image-not-found]
 *   where  shop/templates/web.yaml:18: image: {{ .Values.image }}
 *   fix    …
 * ```
 */
export function problemText(problem: Problem): string {
  const label = labelOf(problem);
  const head = `${label === '' ? '' : `${label}: `}${factText(problem.cause)}${codeText(problem)}`;
  const details = mergedLines(detailLines(problem, (file) => file, remedyForPrograms));
  return [head, ...detailTexts(details).map((line) => `  ${line}`)].join('\n');
}

showProblemsAs(problemText);
