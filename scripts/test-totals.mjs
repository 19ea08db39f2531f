/** The counts of results that results-reporter.mjs wrote: "N passed, N failed", and what was skipped. */
export function totalsText(allResults) {
  const totals = { passed: 0, failed: 0, skipped: 0 };
  for (const {
    numPassedTests,
    numFailedTests,
    numPendingTests,
    numTodoTests,
    unhandledErrors,
    testResults,
  } of allResults) {
    totals.passed += numPassedTests;
    totals.failed += numFailedTests + unhandledErrors.length + testResults.filter(isBrokenFile).length;
    totals.skipped += numPendingTests + numTodoTests;
  }
  const skipped = totals.skipped === 0 ? '' : `, ${totals.skipped} skipped`;
  return `${totals.passed} passed, ${totals.failed} failed${skipped}`;
}

/** A file that could not be loaded or set up has no failed test to count. */
export const isBrokenFile = ({ status, assertionResults }) =>
  status === 'failed' && assertionResults.every((one) => one.status !== 'failed');
