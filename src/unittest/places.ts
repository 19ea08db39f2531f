import { lineOfPath } from '../manifest/line-of.ts';
import { documentsOf } from '../render/document-trace.ts';
import { makerOfLine, type TemplatePlace } from '../render/template-place.ts';
import type { Fault } from './assertions/assertion.ts';
import { readDocuments } from './documents/documents.ts';
import type { TestRender } from './render.ts';

/** The line of a template that made what an assertion does not hold for; undefined where that cannot be told. */
export function placeOfFault(
  { files, trace: traceOf }: TestRender,
  template: string,
  { document, path }: Fault,
): TemplatePlace | undefined {
  const text = files.get(template);
  if (text === undefined) return undefined;
  try {
    const trace = traceOf(template);
    const index = readDocuments(text).indexOf(document);
    const printed = trace && documentsOf(trace).filter(({ object }) => isFilled(object))[index];
    if (trace === undefined || printed === undefined) return undefined;
    return makerOfLine(trace, printed.line + lineOfPath(printed.text, plainSteps(path)) - 1);
  } catch {
    // Rendered again, a template may fail or print no YAML: then its failure goes without a line.
    return undefined;
  }
}

const isFilled = (object: unknown): boolean =>
  typeof object === 'object' && object !== null && Object.keys(object).length > 0;

/** The steps of a path as far as each of them names one member: `spec`, `ports`, `0` of `spec.ports[0]..name`. */
function plainSteps(path: string): string[] {
  const steps: string[] = [];
  const step = /^\$?\.?(?:([\w-]+)|\[(\d+)\]|\[(?:"([^"]*)"|'([^']*)')\])/;
  for (let rest = path; ; ) {
    const found = step.exec(rest);
    if (found === null) return steps;
    steps.push(found[1] ?? found[2] ?? found[3] ?? found[4] ?? '');
    rest = rest.slice(found[0].length);
  }
}
