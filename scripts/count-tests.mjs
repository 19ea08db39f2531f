// Prints "N passed, N failed" over the result files of vitest's JSON reporter, skipped tests behind it.
import { readFileSync } from 'node:fs';

const totals = { passed: 0, failed: 0, skipped: 0 };
for (const file of process.argv.slice(2)) {
  const results = JSON.parse(readFileSync(file, 'utf8'));
  totals.passed += results.numPassedTests;
  totals.failed += results.numFailedTests;
  totals.skipped += results.numPendingTests + results.numTodoTests;
  // A file that could not even be loaded has no test to count.
  totals.failed += results.testResults.filter(
    (one) => one.status === 'failed' && one.assertionResults.length === 0,
  ).length;
}
const skipped = totals.skipped === 0 ? '' : `, ${totals.skipped} skipped`;
console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`);
