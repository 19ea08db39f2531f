import { CelError } from './error.ts';

/**
 * What one evaluation has cost: a unit for each call, each argument of one (what a loop does for each item is one), and
 * one for each ten items or letters that were made.
 */
export class Cost {
  #spent = 0;

  /** Refuses an evaluation that costs more than Kubernetes allows, errors on its way or not. */
  limit<T>(evaluate: () => T): T {
    this.#spent = 0;
    const result = evaluate();
    this.#spend(0);
    return result;
  }

  /** Counts what the evaluation of a part of an expression, and of its arguments, costs. */
  count(part: object): void {
    const { op, args } = part as Node;
    if (!makers.has(op)) return;
    this.#count(part as Node);
    if (op !== '+') for (const argument of args.at(-1) as readonly Node[]) this.#count(argument);
  }

  #count(part: Node): void {
    if (Object.hasOwn(part, 'evaluate')) return;
    let { evaluate } = part;
    const counted: Node['evaluate'] = (evaluator, ast, context) => {
      this.#spend(1);
      try {
        const result = evaluate.call(part, evaluator, ast, context);
        if (makers.has(part.op)) this.#spend(sizeOf(result) / 10);
        return result;
      } finally {
        // cel-js chooses the function when the part is first evaluated, and assigns it.
        if (part.evaluate !== counted) evaluate = part.evaluate;
        part.evaluate = counted;
      }
    };
    part.evaluate = counted;
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
  /** Of a call its name, its receiver if it has one, and its arguments; of `+` the two parts. */
  readonly args: readonly unknown[];
  evaluate: (evaluator: unknown, ast: unknown, context: unknown) => unknown;
}

/** The operators that can make a list or a text longer than their operands. */
const makers: ReadonlySet<string> = new Set(['+', 'call', 'rcall']);

const sizeOf = (value: unknown): number => (Array.isArray(value) || typeof value === 'string' ? value.length : 0);
