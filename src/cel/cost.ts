import { CelError } from './error.ts';

/** What one evaluation has cost: a unit for each step, and one for each ten items or letters that it made. */
export class Cost {
  #spent = 0;

  /** Refuses an evaluation that costs more than Kubernetes allows, errors on its way or not. */
  limit<T>(evaluate: () => T): T {
    this.#spent = 0;
    const result = evaluate();
    this.#spend(0);
    return result;
  }

  /** Counts what the evaluation of this part of an expression costs. */
  count(part: object): void {
    const { op } = part as Node;
    let evaluate = (part as Node).evaluate;
    const counted = (...values: unknown[]): unknown => {
      this.#spend(1);
      const result = evaluate.apply(part, values);
      if (makers.has(op)) this.#spend(sizeOf(result) / 10);
      return result;
    };
    // cel-js chooses the function when the part is first evaluated, and assigns it.
    Object.defineProperty(part, 'evaluate', {
      get: () => counted,
      set(chosen: Node['evaluate']) {
        evaluate = chosen;
      },
    });
  }

  #spend(cost: number): void {
    this.#spent += cost;
    if (this.#spent > limitOfKubernetes) throw costLimitExceeded();
  }
}

/** k8s.io/apiserver/pkg/apis/cel: PerCallLimit, and what cel-go says then. */
export const limitOfKubernetes = 1_000_000;
export const costLimitExceeded = (): CelError => new CelError('operation cancelled: actual cost limit exceeded');

/** Of cel-js, which does not declare how it evaluates. */
interface Node {
  readonly op: string;
  evaluate(...values: unknown[]): unknown;
}

/** The operators that can make a list or a text longer than their operands. */
const makers: ReadonlySet<string> = new Set(['+', 'call', 'rcall']);

const sizeOf = (value: unknown): number => (Array.isArray(value) || typeof value === 'string' ? value.length : 0);
