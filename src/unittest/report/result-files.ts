import type { SuiteResult, TestResult } from '../results.ts';
import { assertionTitle } from './text.ts';
import { writeXml, type XmlElement } from './xml.ts';

/** What a file of results says of the machine and the time. */
export interface ResultSurroundings {
  readonly date: Date;
  readonly folder: string;
  readonly host: string;
  readonly user: string;
  readonly platform: string;
  readonly language: string;
}

export type ResultFormat = 'junit' | 'nunit' | 'xunit' | 'sonar';

/** The results of suites in the format of another tool, laid out as helm-unittest does. */
export const resultFile = (
  format: ResultFormat,
  suites: readonly SuiteResult[],
  surroundings: ResultSurroundings,
): string => writeXml(formats[format](suites, surroundings));

const formats: Readonly<Record<ResultFormat, (suites: readonly SuiteResult[], at: ResultSurroundings) => XmlElement>> =
  {
    junit: (suites, at) => ({ name: 'testsuites', content: suites.map((suite, id) => junitSuite(suite, id, at)) }),
    nunit: (suites, at) => nunitResults(suites, at),
    xunit: (suites, at) => ({ name: 'assemblies', content: suites.map((suite) => xunitAssembly(suite, at)) }),
    sonar: (suites) => ({ name: 'testExecutions', attributes: { version: 1 }, content: suites.map(sonarFile) }),
  };

type Outcome = 'passed' | 'failed' | 'error' | 'skipped';

function outcomeOf({ isPassed, isSkipped, error }: TestResult): Outcome {
  if (isSkipped) return 'skipped';
  if (isPassed) return 'passed';
  return error === undefined ? 'failed' : 'error';
}

const countOf = (suites: readonly SuiteResult[], outcome: Outcome): number =>
  suites.flatMap(({ tests }) => tests).filter((test) => outcomeOf(test) === outcome).length;

/** Everything that is to be said of a test. */
function storyOf({ isSkipped, name, error, assertions }: TestResult): string {
  const parts = assertions.flatMap((assertion) => {
    const reasons = assertion.skipReason === undefined ? assertion.lines : [assertion.skipReason];
    return [`\t\t ${assertionTitle(assertion)} \n`, ...reasons.map((line) => `\t\t\t ${line} \n`)];
  });
  return [isSkipped ? `SKIPPED '${name}' \n` : '', error === undefined ? '' : `${error}\n`, ...parts].join('');
}

const inOneLine = (story: string): string => story.replaceAll('\n', ',').replaceAll('\t', '');

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3);
const timeOf = ({ tests }: SuiteResult): string =>
  seconds(tests.reduce((total, { milliseconds }) => total + milliseconds, 0));
const dateText = ({ date }: ResultSurroundings): string => localText(date).slice(0, 10);
const clockText = ({ date }: ResultSurroundings): string => localText(date).slice(11);
const localText = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
const className = ({ name }: SuiteResult): string => name.slice(name.lastIndexOf('/') + 1);

function junitSuite(suite: SuiteResult, id: number, at: ResultSurroundings): XmlElement {
  const { name, tests } = suite;
  const attributes = {
    id,
    tests: tests.length,
    failures: countOf([suite], 'failed'),
    errors: countOf([suite], 'error'),
    package: '',
    time: timeOf(suite),
    name,
    timestamp: localText(at.date),
    hostname: at.host,
  };
  const property = { name: 'property', attributes: { name: 'helm-unittest.version', value: '1.6' } };
  const cases = tests.map((test) => junitCase(test, className(suite)));
  return { name: 'testsuite', attributes, content: [{ name: 'properties', content: [property] }, ...cases] };
}

function junitCase(test: TestResult, classname: string): XmlElement {
  const attributes = { classname, name: test.name, time: seconds(test.milliseconds) };
  return { name: 'testcase', attributes, content: junitOutcome(test) };
}

function junitOutcome(test: TestResult): XmlElement[] {
  const story = inOneLine(storyOf(test));
  switch (outcomeOf(test)) {
    case 'passed':
      return [];
    case 'skipped':
      return [{ name: 'skipped', attributes: { message: story } }];
    case 'failed':
      return [{ name: 'failure', attributes: { message: 'Failed', type: '' }, content: story }];
    case 'error':
      return [{ name: 'error', attributes: { message: 'Error', type: '' }, content: test.error ?? '' }];
  }
}

const sonarFile = ({ file, tests }: SuiteResult): XmlElement => ({
  name: 'file',
  attributes: { path: file },
  content: tests.map((test) => ({
    name: 'testCase',
    attributes: { name: test.name, duration: Math.trunc(test.milliseconds) },
    content: sonarOutcome(test),
  })),
});

function sonarOutcome(test: TestResult): XmlElement[] {
  const outcomeElement = (name: string, message: string, cdata: string): XmlElement[] => [
    { name, attributes: { message }, content: { cdata } },
  ];
  switch (outcomeOf(test)) {
    case 'passed':
      return [];
    case 'skipped':
      return outcomeElement('skipped', 'Skipped', storyOf(test));
    case 'failed':
      return outcomeElement('failure', 'Failed', storyOf(test));
    case 'error':
      return outcomeElement('error', 'Error', test.error ?? '');
  }
}

const validation = 'Helm-Validation';

function xunitAssembly(suite: SuiteResult, at: ResultSurroundings): XmlElement {
  const counts = {
    total: suite.tests.length,
    passed: countOf([suite], 'passed'),
    failed: countOf([suite], 'failed'),
    skipped: countOf([suite], 'skipped'),
  };
  const attributes = {
    name: suite.file,
    'config-file': suite.file,
    'test-framework': 'helm-unittest',
    'run-date': dateText(at),
    'run-time': clockText(at),
    time: timeOf(suite),
    ...counts,
    errors: countOf([suite], 'error'),
  };
  const tests = suite.tests.map((test) => xunitTest(test, className(suite)));
  const collection = { name: suite.name, time: timeOf(suite), ...counts };
  return {
    name: 'assembly',
    attributes,
    content: [
      { name: 'environment', content: at.platform },
      { name: 'errors' },
      { name: 'collection', attributes: collection, content: tests },
    ],
  };
}

function xunitTest(test: TestResult, type: string): XmlElement {
  const outcome = outcomeOf(test);
  const result = outcome === 'passed' ? 'Pass' : outcome === 'skipped' ? 'Skip' : 'Fail';
  const attributes = { name: test.name, type, method: validation, time: seconds(test.milliseconds), result };
  const traits = { name: 'traits' };
  if (outcome === 'passed') return { name: 'test', attributes, content: [traits] };
  const cdata = storyOf(test);
  const reason = { name: 'reason', content: { cdata } };
  if (outcome === 'skipped') return { name: 'test', attributes, content: [traits, reason] };
  const failure = {
    name: 'failure',
    attributes: { 'exception-type': outcome === 'error' ? `${validation}-Error` : validation },
    content: [
      { name: 'message', content: { cdata: 'Failed' } },
      { name: 'stack-trace', content: { cdata } },
    ],
  };
  return { name: 'test', attributes, content: [traits, failure] };
}

function nunitResults(suites: readonly SuiteResult[], at: ResultSurroundings): XmlElement {
  const attributes = {
    name: 'helm-unittest',
    total: suites.flatMap(({ tests }) => tests).length,
    errors: countOf(suites, 'error'),
    failures: countOf(suites, 'failed'),
    inconclusive: 0,
    'not-run': 0,
    ignored: 0,
    skipped: countOf(suites, 'skipped'),
    invalid: 0,
    date: dateText(at),
    time: clockText(at),
  };
  const environment = {
    'nunit-version': '2.5.8.0',
    'clr-version': 'unknown',
    'os-version': 'unknown',
    platform: at.platform,
    cwd: at.folder,
    'machine-name': at.host,
    user: at.user,
    'user-domain': '',
  };
  const culture = { 'current-culture': at.language.split('-')[0] ?? '', 'current-uiculture': at.language };
  const content = [
    { name: 'environment', attributes: environment },
    { name: 'culture-info', attributes: culture },
    ...suites.map(nunitSuite),
  ];
  return { name: 'test-results', attributes, content };
}

const nunitWord = (isPassed: boolean, isSkipped: boolean): string =>
  isSkipped ? 'Skipped' : isPassed ? 'Success' : 'Failed';

function nunitSuite(suite: SuiteResult): XmlElement {
  const { name, file, isPassed, isSkipped, tests } = suite;
  const attributes = {
    type: 'TestFixture',
    name,
    description: file,
    success: isPassed,
    time: timeOf(suite),
    executed: !isSkipped,
    asserts: '',
    result: nunitWord(isPassed, isSkipped),
  };
  const cases = tests.map((test) => nunitCase(test, className(suite)));
  return { name: 'test-suite', attributes, content: [{ name: 'results', content: cases }] };
}

function nunitCase(test: TestResult, classname: string): XmlElement {
  const { name, isPassed, isSkipped, error, milliseconds } = test;
  const attributes = {
    name,
    description: `${classname}.${name}`,
    success: isPassed,
    time: seconds(milliseconds),
    executed: error === undefined && !isSkipped,
    asserts: '0',
    result: nunitWord(isPassed, isSkipped),
  };
  const message = (text: string): XmlElement => ({ name: 'message', content: text });
  const story = storyOf(test);
  const reason = isSkipped ? [{ name: 'reason', content: [message(story)] }] : [];
  const failure =
    isSkipped || isPassed
      ? []
      : [{ name: 'failure', content: [message('Failed'), { name: 'stack-trace', content: story }] }];
  return { name: 'test-case', attributes, content: [...failure, ...reason] };
}
