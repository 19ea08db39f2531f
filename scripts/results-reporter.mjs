import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { JsonReporter } from 'vitest/node';
import { totalsText } from './test-totals.mjs';

/**
 * vitest's JSON results, with what differed in the tests that failed, and the errors that no test awaited: they fail the
 * run, so the count has to know them. A run that is ended from outside writes what it has, with the tests that were still
 * running as such errors. The last lines are the tests that were skipped, whose titles say why, and the count.
 */
export default class ResultsReporter extends JsonReporter {
  #unhandledErrors = [];
  #running = new Set();
  /** By file and full name: what was expected and what came, which vitest leaves out. */
  #differences = new Map();

  onInit(vitest) {
    super.onInit(vitest);
    // Before vitest's own listener, which ends the process: so nothing in here may wait.
    process.prependOnceListener('SIGTERM', () => {
      const running = [...this.#running].map(({ module, relativeModuleId, fullName }) =>
        module === undefined ? relativeModuleId : `${module.relativeModuleId} > ${fullName}`,
      );
      this.#unhandledErrors = [`the run was ended while these were running:\n${running.join('\n')}`];
      void super.onTestRunEnd(vitest.state.getTestModules());
    });
  }

  onTestModuleStart(module) {
    this.#running.add(module);
  }

  onTestModuleEnd(module) {
    this.#running.delete(module);
  }

  onTestCaseReady(test) {
    this.#running.add(test);
  }

  onTestCaseResult(test) {
    this.#running.delete(test);
    const differences = (test.result().errors ?? []).flatMap(({ diff }) => diff ?? []);
    if (differences.length > 0) this.#differences.set(`${test.module.moduleId} > ${test.fullName}`, differences);
  }

  async onTestRunEnd(testModules, unhandledErrors) {
    this.#unhandledErrors = unhandledErrors.map(({ stack, message }) => stack ?? message);
    await super.onTestRunEnd(testModules);
  }

  async writeReport(report) {
    const { outputFile } = this.options;
    mkdirSync(dirname(outputFile), { recursive: true });
    const { testResults, ...others } = JSON.parse(report);
    const told = testResults.map(({ assertionResults, ...file }) => ({
      ...file,
      assertionResults: assertionResults.map((one) => {
        const fullName = [...one.ancestorTitles, one.title].join(' > ');
        return { ...one, differences: this.#differences.get(`${file.name} > ${fullName}`) ?? [] };
      }),
    }));
    const results = { ...others, testResults: told, unhandledErrors: this.#unhandledErrors };
    writeFileSync(outputFile, JSON.stringify(results));
    this.ctx.logger.log([...skippedLines(told), totalsText([results])].join('\n'));
  }
}

const skippedLines = (files) =>
  files.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => ['skipped', 'pending', 'todo'].includes(status))
      .map(({ ancestorTitles, title }) => `skipped: ${relative('', name)} > ${[...ancestorTitles, title].join(' > ')}`),
  );
