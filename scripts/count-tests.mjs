// Prints "N passed, N failed" over the result files of results-reporter.mjs, skipped tests behind it. Above it stands
// each test that failed, or passed only when it was tried again, with the beginning of its message and of what differed: the end
// of a long log says what it is about.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const isTelling = (line) => !/^\s+at .*(?:node_modules|node:)/.test(line);

/** The tests that are tried twice are those against a real cluster. */
const isFlaky = ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0;

function tell(what, file, { fullName, failureMessages, differences = [] }) {
  const message = linesOf(failureMessages).filter(isTelling);
  const shown = [...message.slice(0, 12), ...linesOf(differences).slice(0, 40)].map((line) => `  ${line}`);
  console.log([`${what}: ${relative('.', file)} > ${fullName}`, ...shown].join('\n'));
}

const linesOf = (texts) => texts.flatMap((text) => stripVTControlCharacters(text).split('\n'));

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  totals.passed += results.numPassedTests;
  totals.failed += results.numFailedTests;
  totals.skipped += results.numPendingTests + results.numTodoTests;
  totals.failed += results.unhandledErrors.length;
  for (const error of results.unhandledErrors)
    tell('failed', file, { fullName: 'an error that no test awaited', failureMessages: [error] });
  for (const { name, status, assertionResults, message } of results.testResults) {
    const failed = assertionResults.filter((one) => one.status === 'failed');
    for (const one of failed) tell('failed', name, one);
    for (const one of assertionResults.filter(isFlaky)) tell('passed only when tried again', name, one);
    // A file that could not be loaded or set up has no failed test to count.
    if (status === 'failed' && failed.length === 0) {
      totals.failed += 1;
      tell('failed', name, { fullName: 'the file itself', failureMessages: [message] });
    }
  }
}
const skipped = totals.skipped === 0 ? '' : `, ${totals.skipped} skipped`;
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
