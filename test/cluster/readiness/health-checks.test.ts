import { describe, expect, test } from 'vitest';
import { readHealthFile } from '../../../src/cluster/health.ts';
import { chooseRule, readiness } from '../../../src/cluster/readiness.ts';
import type { KubernetesObject } from '../../../src/manifest/types.ts';

const widget = (status: object | undefined, rest: object = {}): KubernetesObject => ({
  apiVersion: 'example.com/v2',
  kind: 'Widget',
  metadata: { name: 'w', namespace: 'default', generation: 2 },
  ...(status && { status }),
  ...rest,
});
const condition = (type: string, status: string) => ({ conditions: [{ type, status }] });

/** Flux's own examples, and what its users write. */
const cluster = `
- apiVersion: example.com/v1
  kind: Widget
  failed: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'False')
  current: status.conditions.filter(e, e.type == 'Ready').all(e, e.status == 'True')
`;
const optional = `
- apiVersion: example.com/v1
  kind: Widget
  inProgress: status.?phase.orValue('') in ['Pending', 'Creating']
  current: status.?conditions.orValue([]).exists(c, c.type == 'Ready' && c.status == 'True')
`;
const replicas = `
- apiVersion: example.com/v1
  kind: Widget
  failed: has(status.error) && status.error != ''
  current: status.replicas == spec.replicas && status.ratio >= 1
`;

describe('what a health check says of an object', () => {
  test.each([
    ['current is true: ready', cluster, widget(condition('Ready', 'True')), 'ready'],
    ['failed is true: failed', cluster, widget(condition('Ready', 'False')), 'failed'],
    ['neither is true: waiting', cluster, widget(condition('Ready', 'Unknown')), 'waiting'],
    ['a field that is missing: waiting, as in Flux', cluster, widget({}), 'waiting'],
    ['no status: waiting', cluster, widget(undefined), 'waiting'],
    [
      'inProgress goes before current',
      optional,
      widget({ phase: 'Pending', ...condition('Ready', 'True') }),
      'waiting',
    ],
    ['.? reads a field that may be missing', optional, widget({}), 'waiting'],
    ['.? finds the field', optional, widget(condition('Ready', 'True')), 'ready'],
    [
      'failed goes before current',
      replicas,
      widget({ error: 'no', replicas: 3, ratio: 1 }, { spec: { replicas: 3 } }),
      'failed',
    ],
    ['numbers compare by value', replicas, widget({ replicas: 3, ratio: 1 }, { spec: { replicas: 3 } }), 'ready'],
    ['fractions too', replicas, widget({ replicas: 3, ratio: 1.5 }, { spec: { replicas: 3 } }), 'ready'],
    [
      'an old generation tells nothing',
      cluster,
      widget({ observedGeneration: 1, ...condition('Ready', 'True') }),
      'waiting',
    ],
    [
      'true alone: ready at once',
      "- {apiVersion: example.com/v1, kind: Widget, current: 'true'}",
      widget(undefined),
      'ready',
    ],
    [
      'a result that is no truth value',
      '- {apiVersion: example.com/v1, kind: Widget, current: status.phase}',
      widget({ phase: 'up' }),
      'waiting',
    ],
    [
      'no kind: every kind of the group',
      "- {apiVersion: example.com/v1, current: 'false'}",
      widget(undefined),
      'waiting',
    ],
    [
      'the list may be that of a Kustomization',
      `healthCheckExprs:\n${cluster.trim()}`,
      widget(condition('Ready', 'False')),
      'failed',
    ],
  ])('%s', (_rule, text, object, state) => {
    const userRules = readHealthFile(text, 'health.yaml');
    for (const strategy of ['watcher', 'ordered'] as const)
      expect(readiness(object, { strategy, waitForJobs: true, userRules }).state).toBe(state);
  });

  test('a field that the object does not have yet is named, in the words of cel-go', () => {
    const userRules = readHealthFile(cluster, 'health.yaml');
    const state = readiness(widget(undefined), { strategy: 'ordered', waitForJobs: true, userRules });
    expect(state).toMatchObject({
      reason: 'its health check cannot evaluate failed: no such attribute(s): status',
    });
  });

  test('a failure is a fact that no time heals', () => {
    const userRules = readHealthFile(cluster, 'health.yaml');
    const state = readiness(widget(condition('Ready', 'False')), { strategy: 'ordered', waitForJobs: true, userRules });
    expect(state).toMatchObject({ state: 'failed', facts: [{ code: 'not-ready', outlook: 'never' }] });
  });
});

describe('which rule judges', () => {
  const userRules = readHealthFile(cluster, 'health.yaml');
  const options = { strategy: 'ordered', waitForJobs: true, userRules } as const;
  const annotated = widget(condition('Ready', 'False'));
  annotated.metadata.annotations = {
    'helm.sh/readiness-success': '["{.phase} == \'up\'"]',
    'helm.sh/readiness-failure': '["{.phase} == \'down\'"]',
  };

  test.each([
    ["the chart's annotations come first", annotated, 'chart'],
    ['then the file', widget({}), 'user'],
    ['the version does not count', { ...widget({}), apiVersion: 'example.com/v1beta3' }, 'user'],
    ['another group is another kind', { ...widget({}), apiVersion: 'example.org/v1' }, 'common-words'],
    ['a kind that tshelm knows', { ...widget({}), apiVersion: 'argoproj.io/v1alpha1', kind: 'Rollout' }, 'kind'],
    ['another kind has no check', { ...widget({}), kind: 'Gadget' }, 'common-words'],
  ])('%s', (_rule, object, source) => expect(chooseRule(object, options).source).toBe(source));

  test('a kind of its own goes before its group', () => {
    const both = readHealthFile(`${cluster}- {apiVersion: example.com/v1, current: 'true'}`, 'health.yaml');
    expect(both(widget({}))).not.toBe(both({ ...widget({}), kind: 'Gadget' }));
  });
});

describe('mistakes in the file', () => {
  const message = (text: string): string => {
    try {
      readHealthFile(text, 'health.yaml');
      return 'no mistake';
    } catch (error) {
      expect(error).toMatchObject({ code: 'health-checks-invalid' });
      return (error as Error).message;
    }
  };
  const check = (...lines: readonly string[]): string =>
    ['- apiVersion: example.com/v1', '  kind: Widget', ...lines.map((line) => `  ${line}`)].join('\n');

  test.each([
    [
      'an unknown key',
      check('curent: a == 1', "current: 'true'"),
      'health.yaml:3: a health check has no key curent; did you mean current?',
    ],
    ['no current', check("failed: status.phase == 'Failed'"), 'health.yaml:1: a health check needs current'],
    ['no apiVersion', "- {kind: Widget, current: 'true'}", 'health.yaml:1: a health check needs apiVersion'],
    ['not a string', check('current: true'), 'health.yaml:3: current must be a string'],
    ['CEL that does not parse', check('current: status.phase =='), /^health\.yaml:3: current is not valid CEL: /],
    [
      'a function that CEL does not have',
      check('current: status.isReady()'),
      /^health\.yaml:3: current is not valid CEL: .*isReady/,
    ],
    [
      'a field that nothing has',
      check("current: stauts.phase == 'Up'"),
      /^health\.yaml:3: .*stauts; did you mean status\?$/,
    ],
    ['a result that is never true', check('current: size(status.conditions)'), /^health\.yaml:3: .*its type is int$/],
    [
      'two checks for one kind',
      `${check("current: 'true'")}\n${check("current: 'true'")}`,
      'health.yaml:4: there are two checks for Widget.example.com',
    ],
    ['another key beside the list', 'healthChecks: []', /^health\.yaml:1: there is no key healthChecks; /],
    ['no list', 'a text', 'health.yaml: health checks must be a list'],
    ['an empty file', '', 'health.yaml: health checks must be a list'],
    [
      'two documents',
      `---\n${check("current: 'true'")}\n---\n${check("current: 'false'")}`,
      /^health\.yaml: line 6: the file is one document, and another one begins here$/,
    ],
    ['no YAML', 'a: [', /^health\.yaml: /],
  ])('%s', (_mistake, text, expected) => expect(message(text)).toMatch(expected));

  test('all are told at once', () => {
    expect(message(check('failed: status.(', 'currant: x')).split('\n')).toHaveLength(3);
    expect(message('- {}\n- {}').split('\n')).toHaveLength(4);
  });

  test('also where there are many', () => {
    const mistakes = message('- {apiVersion: example.com/v1, kind: Widget}\n'.repeat(2000)).split('\n');
    expect(mistakes.at(-1)).toBe('health.yaml:2000: there are two checks for Widget.example.com');
  }, 10_000);
});
