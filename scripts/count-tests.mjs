// Prints "N passed, N failed" over the result files of results-reporter.mjs, skipped tests behind it. Above it stands
// each test that failed, or passed only when it was tried again, with the beginning of its message and of what differed: the end
// of a long log says what it is about.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { isBrokenFile, totalsText } from './test-totals.mjs';

const isTelling = (line) => !/^\s+at .*(?:node_modules|node:)/.test(line);

/** The tests that are tried twice are those against a real cluster. */
const isFlaky = ({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0;

function tell(what, file, { fullName, failureMessages, differences = [] }) {
  const message = linesOf(failureMessages).filter(isTelling);
  const shown = [...message.slice(0, 12), ...linesOf(differences).slice(0, 40)].map((line) => `  ${line}`);
  console.log([`${what}: ${relative('.', file)} > ${fullName}`, ...shown].join('\n'));
}

const linesOf = (texts) => texts.flatMap((text) => stripVTControlCharacters(text).split('\n'));

const allResults = process.argv.slice(2).map((file) => ({ file, ...JSON.parse(readFileSync(file, 'utf8')) }));
for (const { file, unhandledErrors, testResults } of allResults) {
  for (const error of unhandledErrors)
    tell('failed', file, { fullName: 'an error that no test awaited', failureMessages: [error] });
  for (const result of testResults) {
    const { name, assertionResults, message } = result;
    for (const one of assertionResults.filter(({ status }) => status === 'failed')) tell('failed', name, one);
    for (const one of assertionResults.filter(isFlaky)) tell('passed only when tried again', name, one);
    if (isBrokenFile(result)) tell('failed', name, { fullName: 'the file itself', failureMessages: [message] });
  }
}
console.log(totalsText(allResults));
