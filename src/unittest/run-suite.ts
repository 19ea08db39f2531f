import { posix } from 'node:path';
import type { Chart, CrdFile } from '../chart/types.ts';
import { decodeText } from '../go/text.ts';
import type { GoMap } from '../go/value.ts';
import { messageOf } from '../support/errors.ts';
import { type Aimed, assertThat, type DocumentsByTemplate, type Rendered } from './assert.ts';
import type { Assertion } from './assertions/assertion.ts';
import { type Document, readDocuments } from './documents/documents.ts';
import type { Snapshots } from './documents/snapshot.ts';
import { placeOfFault } from './places.ts';
import { type PostRendered, postRendered } from './post-render.ts';
import type { TestRenderer } from './render.ts';
import type { AssertionResult, SuiteResult, TestResult } from './results.ts';
import type { Suite, TestJob } from './suite/types.ts';
import { isWildcard, templatePath } from './templates.ts';
import { ChartTrials } from './trials.ts';
import { userValues } from './values.ts';

/** What the tests of a suite run with. */
export interface SuiteSurroundings {
  /** The outermost chart, as it was loaded. */
  readonly chart: Chart;
  readonly renderer: TestRenderer;
  readonly snapshots: Snapshots;
  readonly failFast: boolean;
  /** Whether failures tell the lines of the templates. */
  readonly withPlaces: boolean;
  readonly readValues: (path: string) => GoMap;
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number;
  /** Gets what was rendered, by paths. */
  readonly onRendered?: ((files: ReadonlyMap<string, string>) => void) | undefined;
}

/** Runs the tests of a suite one after the other. Follows helm-unittest's TestSuite.RunV3. */
export async function runSuite(suite: Suite, surroundings: SuiteSurroundings): Promise<SuiteResult> {
  const tests: TestResult[] = [];
  let isPassed = true;
  for (const [index, test] of suite.tests.entries()) {
    const result =
      test.skipReason === '' ? await runTest(test, { suite, index, ...surroundings }) : skippedTest(test, index);
    tests.push(result);
    isPassed &&= result.isPassed || test.skipReason !== '';
    if (!isPassed && surroundings.failFast) break;
  }
  return {
    name: suite.name,
    file: suite.file,
    isPassed,
    isSkipped: suite.tests.every(({ skipReason }) => skipReason !== ''),
    error: undefined,
    tests,
    snapshots: surroundings.snapshots.counts,
  };
}

const skippedTest = ({ name }: TestJob, index: number): TestResult => ({
  name,
  index,
  isPassed: false,
  isSkipped: true,
  error: undefined,
  assertions: [],
  milliseconds: 0,
});

interface TestSurroundings extends SuiteSurroundings {
  readonly suite: Suite;
  readonly index: number;
}

async function runTest(test: TestJob, surroundings: TestSurroundings): Promise<TestResult> {
  const { now, index } = surroundings;
  const start = now();
  const result = { name: test.name, index, isPassed: false, isSkipped: false, error: undefined, assertions: [] };
  try {
    const outcome = await testOutcome(test, surroundings);
    return { ...result, ...outcome, milliseconds: now() - start };
  } catch (error) {
    return { ...result, error: messageOf(error), milliseconds: now() - start };
  }
}

type Outcome = Pick<TestResult, 'isPassed' | 'isSkipped' | 'error' | 'assertions'>;

async function testOutcome(test: TestJob, surroundings: TestSurroundings): Promise<Outcome> {
  const { chart, suite, renderer, snapshots, failFast, withPlaces, readValues, onRendered } = surroundings;
  const values = userValues(test, suite, readValues);
  const render = await renderer.render(test, suite, { chart, values });
  onRendered?.(render.files);
  const outputs = await postRendered(render, test.postRenderer);
  const { isPostRendered } = outputs;
  const rendered: Rendered = {
    documents: documentsIn(outputs, render.crds, { suite, chartName: chart.metadata.name }),
    isRendered: render.isRendered,
    renderError: render.error,
    isPostRendered,
    snapshots: snapshots.comparerOf(test.name),
    failFast,
    trials: new ChartTrials(test, { chart, values }),
    placeOf: (template, fault) => (withPlaces && !isPostRendered ? placeOfFault(render, template, fault) : undefined),
    skipsEmpty: test.documentSelector?.skipEmptyTemplates ?? false,
  };
  const printed = [...render.files.keys(), ...render.failures.keys()];
  const all = suite.includeCrds ? [...printed, ...render.crds.map(({ filename }) => filename)] : printed;
  const { assertions, isPassed } = await assertAll(test, rendered, (assertion) =>
    templatesOf(assertion, test, suite, all),
  );
  const isSkipped = assertions.length > 0 && assertions.every(({ skipReason }) => skipReason !== undefined);
  return { isPassed, isSkipped, error: render.error, assertions };
}

interface ChartOfSuite {
  readonly suite: Suite;
  readonly chartName: string;
}

function documentsIn(
  { files, failures, extensionOf }: PostRendered,
  crds: readonly CrdFile[],
  { suite, chartName }: ChartOfSuite,
): DocumentsByTemplate {
  const inChart = (file: string): string => (file.startsWith(chartName) ? file : posix.join(chartName, file));
  const found = new Map<string, readonly Document[]>();
  for (const crd of suite.includeCrds ? crds : []) found.set(crd.filename, crdDocuments(crd));
  for (const [file, text] of files) {
    const documents = documentsOf(extensionOf(file), text);
    if (documents !== undefined) found.set(inChart(file), documents);
  }
  for (const [file, text] of failures) found.set(inChart(file), [new Map([['raw', text.replace(/^\n+/, '')]])]);
  return found;
}

const crdDocuments = ({ data }: CrdFile): readonly Document[] => readDocuments(decodeText(data));

function documentsOf(ending: string, text: string): readonly Document[] | undefined {
  switch (ending) {
    case '.yaml':
    case '.yml':
    case '.tpl':
      return readDocuments(text);
    case '.txt':
      return [new Map([['raw', text]])];
    default:
      return undefined;
  }
}

/** The templates that an assertion is about: its own, those of the test, or those of the suite. */
function templatesOf(assertion: Assertion, test: TestJob, suite: Suite, outputs: readonly string[]): readonly string[] {
  const named = namedTemplates(assertion, test) ?? suite.templates;
  const isAll = named === suite.templates && (named.length === 0 || named.some(isWildcard));
  return isAll ? outputs : named.map((name) => templatePath(suite.chartRoute, name));
}

function namedTemplates({ template }: Assertion, test: TestJob): readonly string[] | undefined {
  if (template !== '') return [template];
  if (test.templates.length > 0) return test.templates;
  return test.template === '' ? undefined : [test.template];
}

async function assertAll(test: TestJob, rendered: Rendered, templatesFor: (assertion: Assertion) => readonly string[]) {
  const results: AssertionResult[] = [];
  let isPassed = false;
  for (const [index, assertion] of test.assertions.entries()) {
    if (assertion === null) continue;
    const aimed: Aimed = {
      assertion,
      index,
      templates: templatesFor(assertion),
      documentIndex: test.documentIndex ?? assertion.documentIndex,
      documentSelector: assertion.documentSelector ?? test.documentSelector,
    };
    const result = await assertThat(aimed, rendered);
    results.push(result);
    // One that was left out forgives those before it.
    const isPassedBefore: boolean = result.skipReason !== undefined || index === 0 || isPassed;
    isPassed = isPassedBefore && result.isPassed;
    if (!isPassed && rendered.failFast) break;
  }
  return { assertions: results, isPassed };
}
