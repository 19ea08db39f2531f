import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { messageText } from '../../../src/actions/lint/message.ts';
import { type LintOptions, lintChart } from '../../../src/actions/lint.ts';
import { resource } from '../../plan/charts.ts';

const root = mkdtempSync(join(tmpdir(), 'tshelm-lint-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const values: LintOptions['values'] = new Map();
let count = 0;

/** What lint says of a chart's order: its findings but for Helm's own about the icon. */
async function findings(files: Readonly<Record<string, string>>, options: Partial<LintOptions> = {}) {
  const directory = join(root, `${count++}`, 'shop');
  for (const [name, text] of Object.entries({ 'Chart.yaml': 'name: shop', 'values.yaml': '', ...files })) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      name.endsWith('Chart.yaml') ? `${text}\napiVersion: v2\nversion: 1.0.0\nicon: https://a.example/i.png\n` : text,
    );
  }
  const { messages, isFailed } = await lintChart(directory, { values, namespace: 'default', ...options });
  return { isFailed, texts: messages.map(messageText) };
}

const group = 'helm.sh/resource-group';
const after = 'helm.sh/depends-on/resource-groups';
const weight = 'helm.sh/weight';

describe('the order of a chart', () => {
  test('every mistake, all together, with file and line', async () => {
    const { isFailed, texts } = await findings({
      'Chart.yaml':
        'name: shop\nannotations:\n  helm.sh/run-hooks-in-parallel: sometimes\ndependencies:\n- name: a\n  version: 1.0.0\n  depends-on: [b]\n- name: b\n  version: 1.0.0\n  depends-on: [a, cc]\n',
      'charts/a/Chart.yaml': 'name: a',
      'charts/b/Chart.yaml': 'name: b',
      'charts/b/templates/w.yaml': resource('w', { [weight]: 'heavy' }),
      'templates/circle.yaml': `${resource('x', { [group]: 'x', [after]: 'y' })}---\n${resource('y', { [group]: 'y', [after]: 'x' })}`,
      'templates/two.yaml': resource('two', { [group]: 'one', 'helm.sh/layer': 'other' }),
      'templates/both.yaml': resource('both', { [weight]: '1', [group]: 'one' }),
      'templates/chart.yaml': resource('c', { 'helm.sh/dependson/chart': 'd' }),
      'templates/ready.yaml': resource('r', {
        'helm.sh/readiness-success': '[',
        'helm.sh/readiness-failure': '["{.x} == 1"]',
      }),
      'templates/unknown.yaml': resource('u', { [group]: 'one', [after]: 'nobody' }),
    });
    expect(isFailed).toBe(true);
    expect(texts).toEqual([
      expect.stringMatching(
        /^\[WARNING\] Chart.yaml:7: .* helm.sh\/depends-on\/subcharts: '{"a":\["b"\],"b":\["a","cc"\]}'$/,
      ),
      expect.stringMatching(
        /^\[ERROR\] Chart.yaml: subcharts of shop wait for each other: a -> b -> a; remove one of these:\n.*Chart.yaml:\d+/,
      ),
      expect.stringMatching(/^\[ERROR\] Chart.yaml:3: helm.sh\/run-hooks-in-parallel must be false/),
      expect.stringMatching(
        /^\[ERROR\] Chart.yaml:10: depends-on of b names "cc", which is not a dependency of chart shop/,
      ),
      expect.stringMatching(/^\[ERROR\] charts\/b\/templates\/w.yaml:6: ConfigMap\/w has the weight "heavy"/),
      expect.stringMatching(/^\[ERROR\] templates\/both.yaml:6: ConfigMap\/both has both a weight and a group/),
      expect.stringMatching(/^\[ERROR\] templates\/chart.yaml:6: .*names "d", which is not a dependency/),
      expect.stringMatching(
        /^\[ERROR\] templates\/circle.yaml: resource groups of shop wait for each other: x -> y -> x/,
      ),
      expect.stringMatching(/^\[ERROR\] templates\/ready.yaml:6: ConfigMap\/r .* helm.sh\/readiness-success: /),
      expect.stringMatching(/^\[ERROR\] templates\/two.yaml:6: ConfigMap\/two is in the groups "one" and "other"/),
      expect.stringMatching(
        /^\[WARNING\] templates\/both.yaml:7: resource group "one" of chart shop does not depend on another/,
      ),
      expect.stringMatching(/^\[WARNING\] templates\/unknown.yaml:7: one waits for resource group "nobody"/),
    ]);
  });

  test('one readiness annotation without the other fails', async () => {
    const { isFailed, texts } = await findings({
      'templates/a.yaml': resource('a', { 'helm.sh/readiness-failure': '["{.x} == 1"]' }),
    });
    expect(isFailed).toBe(true);
    expect(texts).toEqual([
      '[ERROR] templates/a.yaml:6: ConfigMap/a has helm.sh/readiness-failure without helm.sh/readiness-success, so the built-in readiness rules decide; set both or neither',
    ]);
  });

  test('keys that nobody reads', async () => {
    const hook = { 'helm.sh/hook': 'pre-install', [weight]: '1' };
    const { isFailed, texts } = await findings({
      'templates/a.yaml': resource('a', { 'helm.sh/resource-groups': 'x' }),
      'templates/hook.yaml': resource('h', hook),
      'templates/w.yaml': resource('w', { [weight]: '1' }),
    });
    expect(isFailed).toBe(false);
    expect(texts).toEqual([
      '[WARNING] templates/a.yaml:6: ConfigMap/a has the annotation helm.sh/resource-groups, which is unknown; did you mean helm.sh/resource-group?',
      '[WARNING] templates/hook.yaml:7: ConfigMap/h is a hook, so helm.sh/weight is ignored; hooks are ordered by helm.sh/hook-weight',
    ]);
  });

  const late = {
    'templates/secret.yaml': 'apiVersion: v1\nkind: Secret\nmetadata: {name: s}\n',
    'templates/hook.yaml':
      'apiVersion: batch/v1\nkind: Job\nmetadata: {name: j, annotations: {helm.sh/hook: pre-install}}\nspec: {template: {spec: {containers: [{name: a, envFrom: [{secretRef: {name: s}}]}]}}}\n',
  };

  test('hazards are warnings, which --strict does not count, since Helm has none', async () => {
    const declared = { ...late, 'templates/w.yaml': resource('w', { [weight]: '1' }) };
    const { isFailed, texts } = await findings(declared);
    expect(texts).toEqual([
      expect.stringContaining('[WARNING] templates/hook.yaml:1: the pre-install hook Job/j uses Secret/s'),
    ]);
    expect(isFailed).toBe(false);
    expect((await findings(declared, { strict: true })).isFailed).toBe(false);
    const warned = { ...declared, 'templates/a.yaml': ' kind: ConfigMap\n metadata: {name: a}\n' };
    expect((await findings(warned, { strict: true })).isFailed).toBe(true);
  });

  test('a chart without an order is looked at only on request', async () => {
    expect((await findings(late)).texts).toEqual([]);
    expect((await findings(late, { wait: 'ordered' })).texts).toHaveLength(1);
  });

  test('what helm drops or cannot load is told with the line that helps, in subcharts too', async () => {
    const { isFailed, texts } = await findings({
      'Chart.yaml':
        'name: shop\nrunHooksInParallel: true\nannotations:\n  helm.sh/depends-on/subcharts:\n  - db\ndependencies:\n- {name: db, version: 1.0.0}\n- {name: web, version: 1.0.0, depends-on: [db]}\n',
      'charts/db/Chart.yaml':
        'name: db\ndependencies:\n- {name: a, version: 1.0.0}\n- {name: b, version: 1.0.0, depends-on: a}\n',
      'charts/db/charts/a/Chart.yaml': 'name: a',
      'charts/db/charts/b/Chart.yaml': 'name: b',
      'charts/web/Chart.yaml': 'name: web',
    });
    expect(isFailed).toBe(false);
    const placeAndLine = /^(\[WARNING\] [\w/.]+:\d+): .*? ((?:helm\.sh\S+: )?'.*')$/;
    const found = texts.filter((text) => !text.includes('templates/'));
    expect(found.map((text) => placeAndLine.exec(text)?.slice(1))).toEqual([
      ['[WARNING] Chart.yaml:8', `helm.sh/depends-on/subcharts: '{"web":["db"],".":["db"]}'`],
      ['[WARNING] Chart.yaml:2', `helm.sh/run-hooks-in-parallel: 'true'`],
      ['[WARNING] Chart.yaml:4', `'["db"]'`],
      ['[WARNING] charts/db/Chart.yaml:4', `helm.sh/depends-on/subcharts: '{"b":["a"]}'`],
    ]);
  });

  test('mistakes of hooks are warnings, in a chart without an order too', async () => {
    const { isFailed, texts } = await findings({
      'templates/a.yaml': resource('a', { 'helm.sh/hook': 'pre-install', 'helm.sh/hook-weight': 'abc' }),
      'templates/b.yaml': resource('b', { 'helm.sh/hook': 'pre-instal', 'helm.sh/hook-delete-policy': 'never' }),
      'templates/c.yaml': resource('c', { 'helm.sh/hook': 'test', 'helm.sh/hook-delete-timeout': 'soon' }),
    });
    expect(isFailed).toBe(false);
    expect(texts).toEqual([
      expect.stringMatching(/^\[WARNING\] templates\/a.yaml:7: ConfigMap\/a: helm.sh\/hook-weight .*"abc".* 0$/),
      expect.stringMatching(
        /^\[WARNING\] templates\/b.yaml:6: ConfigMap\/b: helm.sh\/hook .*"pre-instal".* pre-install\?$/,
      ),
      expect.stringMatching(/^\[WARNING\] templates\/b.yaml:7: ConfigMap\/b: helm.sh\/hook-delete-policy .*"never"/),
      expect.stringMatching(
        /^\[WARNING\] templates\/c.yaml:7: ConfigMap\/c: helm.sh\/hook-delete-timeout .*"soon".* 60$/,
      ),
    ]);
  });

  test('a hook weight that Go cannot hold, and a hook inside a List, count for nothing', async () => {
    const item = (name: string, key: string): string =>
      `- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: ${name}\n    annotations: {${key}: pre-install}\n`;
    const { isFailed, texts } = await findings({
      'templates/a.yaml': resource('a', { 'helm.sh/hook': 'test', 'helm.sh/hook-weight': '9223372036854775808' }),
      'templates/b.yaml': resource('b', { 'helm.sh/hook': 'test', 'helm.sh/hook-weight': '-9223372036854775808' }),
      'templates/list.yaml': `apiVersion: v1\nkind: List\nmetadata: {name: all}\nitems:\n${item('x', 'helm.sh/hook')}${item('y', 'other')}`,
    });
    expect(isFailed).toBe(false);
    expect(texts).toEqual([
      expect.stringMatching(
        /^\[WARNING\] templates\/a.yaml:7: ConfigMap\/a: helm.sh\/hook-weight .*"9223372036854775808".* 0$/,
      ),
      expect.stringMatching(/^\[WARNING\] templates\/list.yaml:9: ConfigMap\/x .* List\/all.* helm.sh\/hook /),
    ]);
  });

  test('an order inside a List is a mistake, and in a List inside that', async () => {
    const { isFailed, texts } = await findings({
      'templates/list.yaml':
        'apiVersion: v1\nkind: List\nmetadata: {name: all}\nitems:\n- apiVersion: v1\n  kind: ConfigMap\n  metadata:\n    name: a\n    annotations:\n      helm.sh/layer: one\n',
      'templates/nested.yaml':
        'apiVersion: v1\nkind: List\nmetadata: {name: outer}\nitems:\n- apiVersion: v1\n  kind: List\n  items:\n  - apiVersion: v1\n    kind: ConfigMap\n    metadata:\n      name: b\n      annotations: {helm.sh/dependson/layer: one}\n',
    });
    expect(isFailed).toBe(true);
    expect(texts).toEqual([
      expect.stringMatching(/^\[ERROR\] templates\/list.yaml:10: ConfigMap\/a .* List\/all.* helm.sh\/layer /),
      expect.stringMatching(
        /^\[ERROR\] templates\/nested.yaml:12: ConfigMap\/b .* List\/outer.* helm.sh\/dependson\/layer /,
      ),
    ]);
  });

  test('empty annotations, and notes that speak of hooks, beside a hook', async () => {
    const files = {
      'templates/hook.yaml': resource('h', { 'helm.sh/hook': 'test' }),
      'templates/empty.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  labels:\n  annotations:\n',
      'templates/NOTES.txt': 'helm.sh/hook: {{ .Chart.Name }}: "\n',
    };
    expect(await findings(files)).toEqual({ isFailed: false, texts: [] });
  });

  test('a chart whose order is right has no findings', async () => {
    const files = {
      'Chart.yaml':
        'name: shop\nrunHooksInParallel: true\nannotations: {helm.sh/depends-on/subcharts: db, helm.sh/run-hooks-in-parallel: "true"}\ndependencies:\n- {name: db, version: 1.0.0}\n',
      'charts/db/Chart.yaml': 'name: db',
      'templates/a.yaml': resource('a', { [group]: 'a' }),
      'templates/b.yaml': resource('b', { [group]: 'b', [after]: 'a' }),
    };
    expect(await findings(files)).toEqual({ isFailed: false, texts: [] });
  });
});

describe('an order that Helm may have dropped', () => {
  // As `helm package` writes it: the harness puts the missing fields behind it, where Helm writes them.
  const archived = {
    'charts/pair/templates/own.yaml': resource('own'),
    ...Object.fromEntries(
      ['a', 'b'].flatMap((name) => [
        [`charts/pair/charts/${name}/Chart.yaml`, `name: ${name}`],
        [`charts/pair/charts/${name}/templates/x.yaml`, resource(name)],
      ]),
    ),
    'charts/pair/Chart.yaml': '',
  };
  const packedByHelm = (annotation = ''): string =>
    `${annotation}apiVersion: v2\ndependencies:\n- name: a\n  repository: ""\n  version: 1.0.0\n- name: b\n  repository: ""\n  version: 1.0.0\nname: pair\nversion: 1.0.0\n`;
  const lint = async (pair: string, shop: string, options: Partial<LintOptions> = {}) => {
    const directory = join(root, `${count++}`, 'shop');
    const files = { ...archived, 'charts/pair/Chart.yaml': pair, 'Chart.yaml': shop, 'values.yaml': '' };
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(directory, name)), { recursive: true });
      writeFileSync(
        join(directory, name),
        text.startsWith('name: ') ? `${text}\napiVersion: v2\nversion: 1.0.0\n` : text,
      );
    }
    const { messages } = await lintChart(directory, { values, namespace: 'default', ...options });
    return messages.map(messageText).filter((text) => text.includes('Helm'));
  };
  const shop = `name: shop\nannotations: {helm.sh/depends-on/subcharts: '{".":["pair"]}'}\n`;
  const isEvident = /^\[WARNING\] charts\/pair\/Chart.yaml: .*helm.sh\/depends-on\/subcharts /;

  test('a chart inside one that has an order: a warning', async () => {
    expect(await lint(packedByHelm(), shop)).toEqual([expect.stringMatching(isEvident)]);
  });

  test('where nothing tells of one, a warning with --wait=ordered', async () => {
    expect(await lint(packedByHelm(), 'name: shop')).toEqual([]);
    expect(await lint(packedByHelm(), 'name: shop', { wait: 'ordered' })).toEqual([
      expect.stringMatching(/^\[WARNING\] Chart.yaml: nothing in chart shop declares an order.* pair: /),
    ]);
  });

  test('where subcharts would start in reverse, an error with --wait=ordered', async () => {
    const list = packedByHelm(`annotations:\n  helm.sh/depends-on/subcharts: '["b"]'\n`);
    expect(await lint(list, shop)).toEqual([expect.stringMatching(isEvident)]);
    expect(await lint(list, shop, { wait: 'ordered' })).toEqual([
      expect.stringMatching(/^\[ERROR\] charts\/pair\/Chart.yaml: .*a would start after b/),
    ]);
  });
});
