import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Optional } from '../../src/cel/cel-js.ts';
import { CelCompiler } from '../../src/cel/engine.ts';
import { CelError } from '../../src/cel/error.ts';
import { celValue } from '../../src/cel/values.ts';

/** What cel-go answers in the environment of Kubernetes' API server (test/e2e/go-cel/kubernetes/refresh.sh). */
interface Case {
  readonly expression: string;
  readonly answer?: unknown;
  readonly error?: string;
  readonly invalid?: true;
}
const { object, cases }: { readonly object: unknown; readonly cases: readonly Case[] } = JSON.parse(
  readFileSync('fixtures/cel/kubernetes.json', 'utf8'),
);

/** Where we differ, and how. */
const differences: Readonly<Record<string, Omit<Case, 'expression'>>> = {
  // Errors whose text needs the value, which cel-js does not tell.
  "object.spec.ports['a'] == 1": { error: 'no such key: a' },
  'object.spec.ports.foo == 1': { error: 'no such key: foo' },
  'object.spec.empty > 1': { error: 'no such overload' },
  "'abc'.substring(1, 5)": { error: 'string.substring(start, end): end index out of range' },
  // cel-go finds these when it compiles.
  'object.metadata.name.startsWith(1)': { error: 'no such overload' },
  "'abc'.find('(')": { error: 'Illegal regex: error parsing regexp: missing closing ): `(`' },
  "object.metadata.name.matches('(')": { error: 'error parsing regexp: missing closing ): `(`' },
  "'%s %s'.format(['a'])": { error: 'index 1 out of range' },
  "'%d'.format(['a'])": { error: 'error during formatting: integer clause can only be used on integers' },
  "'%z'.format(['a'])": {
    error: 'could not parse formatting clause: unrecognized formatting clause "z"',
  },
  // Kubernetes does not enable bindings, and forbids lists of mixed types.
  'cel.bind(r, object.spec.replicas, r > 1 && r < 5)': { answer: true },
  "dyn([1, 'a']).size()": { answer: 2 },
};

const compiler = new CelCompiler(['object']);

function answerTo(expression: string): Omit<Case, 'expression'> {
  let program: ReturnType<typeof compiler.compile>;
  try {
    program = compiler.compile(expression);
  } catch (error) {
    if (error instanceof CelError) return { invalid: true };
    throw error;
  }
  try {
    return { answer: plain(program.evaluate({ object: celValue(object) })) };
  } catch (error) {
    if (error instanceof CelError) return { error: error.message };
    throw error;
  }
}

/** Go's types by our classes. */
const types: Readonly<Record<string, string>> = {
  Quantity: 'kubernetes.Quantity',
  Ip: 'net.IP',
  Cidr: 'net.CIDR',
  Url: 'kubernetes.URL',
  Semver: 'kubernetes.Semver',
  NamedFormat: 'kubernetes.NamedFormat',
  Date: 'Timestamp',
};

/** As the oracle shows it: what JSON has no word for as its type. */
function plain(value: unknown): unknown {
  if (value === null) return 'null';
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof Optional) return value.hasValue() ? ['optional', plain(value.value())] : 'optional.none';
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return value;
  const name = value?.constructor.name ?? 'Object';
  if (name !== 'Object') return `type ${types[name] ?? name}`;
  return Object.fromEntries(Object.entries(value as object).map(([key, item]) => [key, plain(item)]));
}

test.each(cases)('$expression', ({ expression, ...answer }) => {
  expect(answerTo(expression)).toEqual(differences[expression] ?? answer);
});
