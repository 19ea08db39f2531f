import { describe, expect, test } from 'vitest';
import { GoError, type GoFunction, type Value } from '../../src/go/value.ts';
import { TshelmError } from '../../src/support/errors.ts';
import { TemplateError } from '../../src/template/error.ts';
import { goFunction } from '../../src/template/function.ts';
import { TemplateSet } from '../../src/template/template-set.ts';

const include = (set: () => TemplateSet): GoFunction =>
  goFunction('func(string, any) (string, error)', (name: string, data: Value) => set().execute(name, data));

function newSet(functions: Record<string, GoFunction> = {}): TemplateSet {
  const set: TemplateSet = new TemplateSet({
    functions: { include: include(() => set), ...functions },
    missingKey: 'zero',
  });
  return set;
}

function failure(run: () => unknown): TemplateError {
  try {
    run();
  } catch (error) {
    if (error instanceof TemplateError) return error;
    throw error;
  }
  throw new Error('internal: nothing was thrown');
}

describe('definitions', () => {
  test.each([
    ['the last definition wins', ['{{define "x"}}one{{end}}', '{{define "x"}}two{{end}}'], 'two'],
    ['one of white space replaces nothing', ['{{define "x"}}one{{end}}', '{{define "x"}} \n{{end}}'], 'one'],
    ['one of comments replaces nothing', ['{{define "x"}}one{{end}}', '{{define "x"}}{{/* c */}}{{end}}'], 'one'],
    ['an empty one is replaced', ['{{define "x"}}{{end}}', '{{define "x"}}two{{end}}'], 'two'],
    ['a file has a name too', ['', '{{define "x"}}{{template "0.tpl"}}file{{end}}'], 'file'],
  ])('%s', (_rule, sources, text) => {
    const set = newSet();
    sources.forEach((source, index) => set.parse(`${index}.tpl`, source));
    expect(set.execute('x', null)).toBe(text);
  });

  test('names are those of files and defines', () => {
    const set = newSet();
    set.parse('b.tpl', '{{define "a"}}{{end}}');
    expect(set.names()).toEqual(['a', 'b.tpl']);
    expect([set.has('a'), set.has('c')]).toEqual([true, false]);
  });

  test('a file that does not parse adds nothing', () => {
    const set = newSet();
    expect(() => set.parse('a.tpl', '{{define "a"}}{{end}}{{nope}}')).toThrow(
      'template: a.tpl:1: function "nope" not defined',
    );
    expect(set.names()).toEqual([]);
  });
});

describe('clones', () => {
  test('what a clone parses stays in it, and what its origin parses later stays there', () => {
    const set = newSet();
    set.parse('a', 'A');
    const clone = set.clone();
    clone.parse('b', 'B');
    clone.parse('a', 'A2');
    set.parse('c', 'C');
    expect(set.names()).toEqual(['a', 'c']);
    expect(clone.names()).toEqual(['a', 'b']);
    expect([set.execute('a', null), clone.execute('a', null)]).toEqual(['A', 'A2']);
  });

  test('overrides replace functions, also for templates parsed before', () => {
    const set = newSet({ who: goFunction('func() string', () => 'origin') });
    set.parse('a', '{{who}}');
    const clone = set.clone({ who: goFunction('func() string', () => 'clone') });
    expect([set.execute('a', null), clone.execute('a', null), clone.clone().execute('a', null)]).toEqual([
      'origin',
      'clone',
      'clone',
    ]);
  });

  test('a source that failed to parse for want of a function parses in a clone that has it', () => {
    const set = newSet();
    expect(() => set.parse('a', '{{more}}')).toThrow('function "more" not defined');
    const clone = set.clone({ more: goFunction('func() string', () => 'more') });
    clone.parse('a', '{{more}}');
    expect(clone.execute('a', null)).toBe('more');
    expect(() => set.parse('a', '{{more}}')).toThrow('function "more" not defined');
  });

  test("executeSource runs an empty source as itself, though it replaces no other (Helm's tpl)", () => {
    const set = newSet();
    set.parse('gotpl', 'outer');
    expect(set.clone().executeSource('gotpl', ' ', null)).toBe(' ');
    expect(
      set.clone().executeSource('gotpl', '{{template "gotpl"}}'.replace('template', 'print 1 | print'), null),
    ).toBe('gotpl1');
  });
});

describe('errors', () => {
  test('an execution error says where it is', () => {
    const set = newSet();
    set.parse('f.tpl', 'a\n{{define "d"}}é {{ .a.b }}{{end}}');
    const { message, templateName, executing, line, column, context } = failure(() => set.execute('d', new Map()));
    expect({ message, templateName, executing, line, column, context }).toEqual({
      message: 'template: f.tpl:2:22: executing "d" at <.a.b>: nil pointer evaluating interface {}.b',
      templateName: 'f.tpl',
      executing: 'd',
      line: 2,
      column: 22,
      context: '.a.b',
    });
  });

  test('a parse error has a line', () => {
    const error = failure(() => newSet().parse('f.tpl', 'a\n\n{{ if }}'));
    expect([error.templateName, error.line, error.column]).toEqual(['f.tpl', 3, undefined]);
  });

  test('the error of a nested run is the cause, and its message part of the outer one', () => {
    const set = newSet();
    set.parse('a', '{{include "b" .}}{{define "b"}}{{.x.y}}{{end}}');
    const error = failure(() => set.execute('a', new Map()));
    const inner = 'template: a:1:35: executing "b" at <.x.y>: nil pointer evaluating interface {}.y';
    expect(error.message).toBe(`template: a:1:2: executing "a" at <include "b" .>: error calling include: ${inner}`);
    expect((error.cause as TemplateError).message).toBe(inner);
  });

  test.each([
    ['a GoError', new GoError('no luck'), 'template: a:1:2: executing "a" at <f>: error calling f: no luck'],
    [
      'a TshelmError',
      new TshelmError('failed', { message: 'no luck' }),
      'template: a:1:2: executing "a" at <f>: error calling f: no luck',
    ],
  ])('%s of a function is an error of the template', (_kind, thrown, message) => {
    const set = newSet({
      f: goFunction('func() (string, error)', () => {
        throw thrown;
      }),
    });
    set.parse('a', '{{f}}');
    const error = failure(() => set.execute('a', null));
    expect(error.message).toBe(message);
    expect(error.cause).toBe(thrown);
  });

  test('a defect of a function is not disguised', () => {
    const defect = new TypeError('x is not a function');
    const set = newSet({
      f: goFunction('func() string', () => {
        throw defect;
      }),
    });
    set.parse('a', '{{f}}');
    expect(() => set.execute('a', null)).toThrow(defect);
  });

  test('after a failed run the set works on', () => {
    const set = newSet();
    set.parse('a', '{{define "r"}}{{include "r" .}}{{end}}{{define "ok"}}fine{{end}}');
    expect(() => set.execute('r', null)).toThrow('exceeded maximum template depth');
    expect(set.execute('ok', null)).toBe('fine');
  });
});

describe('what would run on for ever or fill memory ends with an error', () => {
  test.each([
    [
      'templates that call themselves',
      '{{define "t"}}{{template "t"}}{{end}}{{template "t"}}',
      'exceeded maximum template depth (100000)',
    ],
    [
      'includes that call themselves',
      '{{define "t"}}{{include "t" .}}{{end}}{{include "t" .}}',
      'exceeded maximum template depth (100000)',
    ],
    ['more parentheses', `{{${'('.repeat(20000)}`, /nested too deeply|max expression depth exceeded/],
    ['conditions', `${'{{if 1}}'.repeat(100_000)}${'{{end}}'.repeat(100_000)}`, 'nested too deeply'],
    ['a long loop', '{{range 9000000000000000000}}{{end}}', 'template takes too many steps'],
    [
      'templates that double',
      `${Array.from({ length: 40 }, (_, n) => `{{define "d${n}"}}${`{{template "d${n + 1}"}}`.repeat(2)}{{end}}`).join('')}{{define "d40"}}{{end}}{{template "d0"}}`,
      'template takes too many steps',
    ],
    [
      'text that doubles',
      `{{define "d0"}}${'x'.repeat(1000)}{{end}}${Array.from({ length: 40 }, (_, n) => `{{define "d${n + 1}"}}${`{{include "d${n}" .}}`.repeat(2)}{{end}}`).join('')}{{include "d40" .}}`,
      /template writes too much text|template takes too many steps/,
    ],
  ])('%s', (_case, source, message) => {
    const set = newSet();
    expect(
      failure(() => {
        set.parse('a', source);
        set.execute('a', null);
      }).message,
    ).toMatch(message);
  });

  test('parentheses that Go just allows are evaluated, or the stack is said to be too small', () => {
    const set = newSet();
    let outcome: string;
    try {
      set.parse('a', `{{${'('.repeat(9000)}1${')'.repeat(9000)}}}`);
      outcome = set.execute('a', null);
    } catch (error) {
      outcome = (error as Error).message;
    }
    expect(outcome).toMatch(/^1$|nested too deeply/);
  });

  test('long tokens are read in linear time', () => {
    const set = newSet();
    for (const source of [
      `{{ 0x${'f'.repeat(200_000)} }}`,
      `{{ ${'1'.repeat(200_000)}e }}`,
      `{{ "${'a\\n'.repeat(200_000)}" }}`,
      `${' '.repeat(200_000)}x{{- 1 -}}${' '.repeat(200_000)}`,
      `{{ ${' '.repeat(200_000)} 1 }}`,
    ]) {
      try {
        set.parse('a', source);
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    }
  });
});
