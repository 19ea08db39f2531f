import { describe, expect, test } from 'vitest';
import { readRawMetadata, validateMetadata } from '../../src/chart/metadata.ts';

const metadataOf = (extra: string) =>
  validateMetadata(readRawMetadata(`apiVersion: v2\nname: app\nversion: 1.0.0\n${extra}`));

describe('what only tshelm reads in Chart.yaml', () => {
  test.each([
    ['false', 'false'],
    ['true', 'true'],
    ['"true"', 'true'],
    ['otherChartsOnly', 'otherChartsOnly'],
  ])('runHooksInParallel: %s', (text, setting) => {
    expect(metadataOf(`runHooksInParallel: ${text}`).runHooksInParallel).toBe(setting);
  });

  test('runHooksInParallel knows no other word', () => {
    expect(() => metadataOf('runHooksInParallel: sometimes')).toThrow(
      'validation: runHooksInParallel must be false, otherChartsOnly or true, not "sometimes"',
    );
  });

  test('depends-on of a dependency', () => {
    const { dependencies } = metadataOf('dependencies: [{name: a}, {name: b, depends-on: [a]}]');
    expect(dependencies).toEqual([{ name: 'a' }, { name: 'b', dependsOn: ['a'] }]);
  });

  test.each([
    ['one name', 'a', ['a']],
    ['numbers', '[1, 2]', ['1', '2']],
    ['a nested list', '[[a]]', ['[["a"]]']],
    ['a list with nothing in it', '[a, null]', ['["a",null]']],
    ['a map', '{x: 1}', ['{"x":1}']],
    ['null', 'null', undefined],
  ])('depends-on that is %s does not keep the chart from loading: Helm ignores the key', (_title, text, dependsOn) => {
    const { dependencies } = metadataOf(`dependencies: [{name: a}, {name: b, depends-on: ${text}}]`);
    expect(dependencies?.[1]).toEqual({ name: 'b', ...(dependsOn && { dependsOn }) });
  });

  test.each([
    ['a list', '[bar, rabbitmq]', '["bar","rabbitmq"]'],
    ['JSON in a text', `'["bar","rabbitmq"]'`, '["bar","rabbitmq"]'],
    ['words', 'bar, rabbitmq', 'bar, rabbitmq'],
  ])('the annotation helm.sh/depends-on/subcharts may be %s', (_title, text, value) => {
    const { annotations } = metadataOf(`annotations:\n  helm.sh/depends-on/subcharts: ${text}`);
    expect(annotations).toEqual({ 'helm.sh/depends-on/subcharts': value });
  });

  test('other annotations are texts, as in Helm', () => {
    expect(() => metadataOf('annotations: {a: [b]}')).toThrow(
      'cannot unmarshal array into Go struct field Metadata.annotations of type string',
    );
  });
});
