import { JsonReporter } from 'vitest/node';

/** vitest's JSON results, and the errors that no test awaited: they fail the run, so the count has to know them. */
export default class ResultsReporter extends JsonReporter {
  #unhandledErrors = [];

  async onTestRunEnd(testModules, unhandledErrors) {
    this.#unhandledErrors = unhandledErrors.map(({ stack, message }) => stack ?? message);
    await super.onTestRunEnd(testModules);
  }

  async writeReport(report) {
    await super.writeReport(JSON.stringify({ ...JSON.parse(report), unhandledErrors: this.#unhandledErrors }));
  }
}
