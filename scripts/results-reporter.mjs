import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { JsonReporter } from 'vitest/node';

/**
 * vitest's JSON results, and the errors that no test awaited: they fail the run, so the count has to know them. A run that
 * is ended from outside writes what it has, with the tests that were still running as such errors.
 */
export default class ResultsReporter extends JsonReporter {
  #unhandledErrors = [];
  #running = new Set();

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
  }

  async onTestRunEnd(testModules, unhandledErrors) {
    this.#unhandledErrors = unhandledErrors.map(({ stack, message }) => stack ?? message);
    await super.onTestRunEnd(testModules);
  }

  async writeReport(report) {
    const { outputFile } = this.options;
    mkdirSync(dirname(outputFile), { recursive: true });
    writeFileSync(outputFile, JSON.stringify({ ...JSON.parse(report), unhandledErrors: this.#unhandledErrors }));
  }
}
