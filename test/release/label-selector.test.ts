import { describe, expect, test } from 'vitest';
import { parseSelector } from '../../src/release/label-selector.ts';

describe('a label selector', () => {
  test.each<[string, Readonly<Record<string, string>>, boolean]>([
    ['', {}, true],
    ['a=b', { a: 'b' }, true],
    ['a == b , c', { a: 'b', c: '' }, true],
    ['a!=b', {}, true],
    ['a!=b', { a: 'b' }, false],
    ['a in (b, c),!d', { a: 'c' }, true],
    ['a notin (b)', { a: 'b' }, false],
    ['a notin ()', { a: '' }, false],
    ['a in (,)', { a: '' }, true],
    ['a=', { a: '' }, true],
    ['a=in', { a: 'in' }, true],
    ['in in (in,notin)', { in: 'notin' }, true],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: 'x' }, false],
    ['a<5', {}, false],
  ])('%s of %j: %s', (selector, labels, holds) => expect(parseSelector(selector)(labels)).toBe(holds));

  // Helm v4.3.1's answers to `list -l`.
  const keyRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
  const valueRule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
  test.each([
    ['a?=b', `unable to parse requirement: <nil>: Invalid value: "a?": name part ${keyRule}`],
    ['/a=b', 'unable to parse requirement: <nil>: Invalid value: "/a": prefix part must be non-empty'],
    ['a=b?', `unable to parse requirement: values[0][a]: Invalid value: "b?": ${valueRule}`],
    ['a in (b?)', `unable to parse requirement: values[0][a]: Invalid value: "b?": ${valueRule}`],
    [
      `a=${'x'.repeat(70)}`,
      `unable to parse requirement: values[0][a]: Invalid value: "${'x'.repeat(70)}": must be no more than 63 bytes`,
    ],
    [
      'a>x',
      "unable to parse requirement: values[0]: Invalid value: \"x\": for 'Gt', 'Lt' operators, the value must be an integer",
    ],
    ['a,,', "found ',', expected: identifier after ','"],
    ['a=b=c', "found '=', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a in', "unable to parse requirement: found '' expected: '('"],
    ['=', "found '=', expected: !, identifier, or 'end of string'"],
  ])('%s is refused', (selector, message) =>
    expect(() => parseSelector(selector)).toThrow(expect.objectContaining({ code: 'invalid-selector', message })),
  );
});
