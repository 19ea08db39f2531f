import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diffRollback, diffUpgrade } from '../../src/actions/diff.ts';
import { install } from '../../src/actions/install.ts';
import { rollback } from '../../src/actions/rollback.ts';
import { templateChart } from '../../src/actions/template.ts';
import { uninstall } from '../../src/actions/uninstall.ts';
import { upgrade } from '../../src/actions/upgrade.ts';
import { TshelmError } from '../../src/support/errors.ts';
import { writePlainYaml } from '../../src/yaml/index.ts';
import { chartOf, configMap, openWorld, type World } from './harness.ts';

const noValues = new Map();
const sound = { 'templates/a.yaml': configMap('sound') };
const chartWith = (text: string) => chartOf({ ...sound, 'templates/b.yaml': text });

const stored = async ({ context }: World) => (await context.storage()).revisions('web');

describe('nothing is recorded or sent when an object is malformed', () => {
  const numericLabel = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: bad\n  labels:\n    app: 1\n';
  const helmsWords =
    'unable to build kubernetes objects from release manifest: unable to decode "": json: cannot unmarshal number into Go struct field ObjectMeta.metadata.labels of type string';

  test('at install', async () => {
    const world = openWorld();
    await expect(install(await chartWith(numericLabel), noValues, { name: 'web' }, world.context)).rejects.toThrow(
      helmsWords,
    );
    expect([await stored(world), world.cluster.seen]).toEqual([[], []]);
  });

  test('at upgrade, which tells every mistake at once', async () => {
    const world = openWorld();
    await install(await chartOf(sound), noValues, { name: 'web' }, world.context);
    const list = 'apiVersion: v1\nkind: List\nitems:\n- kind: ConfigMap\n  metadata: {name: x}\n';
    const failed = upgrade(await chartWith(`${list}---\n${numericLabel}`), noValues, { name: 'web' }, world.context);
    await expect(failed).rejects.toThrow(/\[unable to decode.*, error validating "": .*apiVersion not set\]/s);
    expect(await stored(world)).toMatchObject([{ version: 1, info: { status: 'deployed' } }]);
  });

  test('in hooks too, before the first of them runs', async () => {
    const world = openWorld();
    const hooks = `${configMap('first', 'k: v', 'helm.sh/hook: pre-install')}---\nkind: ConfigMap\nmetadata:\n  name: second\n  annotations: {helm.sh/hook: post-install}\n`;
    await expect(install(await chartWith(hooks), noValues, { name: 'web' }, world.context)).rejects.toThrow(
      'error validating "": error validating data: apiVersion not set',
    );
    expect(world.cluster.seen).toEqual([]);
  });
});

describe('any document', () => {
  const odd = fc.oneof(
    fc.constant(null),
    fc.integer({ min: -3, max: 3 }),
    fc.boolean(),
    fc.constantFrom('', 'x', 'v1', 'a/b/c', '1970-01-01T00:00:00Z'),
    fc.array(fc.constantFrom<unknown>('x', 1, null, { name: 'x' }), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'name', 'helm.sh/weight'), fc.constantFrom<unknown>('x', 1, null, ['y'], {}), {
      maxKeys: 2,
    }),
  );
  const orOdd = <T>(usual: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: odd });
  const metadata = fc.record(
    {
      name: orOdd(fc.constantFrom('a', 'b')),
      namespace: orOdd(fc.constant('default')),
      labels: orOdd(fc.constant({ app: 'x' })),
      annotations: orOdd(
        fc.constantFrom({ a: 'b' }, { 'helm.sh/hook': 'pre-install,pre-upgrade' }, { 'helm.sh/weight': '1' }),
      ),
      finalizers: odd,
      ownerReferences: odd,
      generation: odd,
      creationTimestamp: odd,
      generateName: odd,
      uid: odd,
      managedFields: odd,
    },
    { requiredKeys: [] },
  );
  const { document } = fc.letrec((tie) => ({
    document: fc.oneof({ weight: 4, arbitrary: tie('object') }, { weight: 2, arbitrary: tie('list') }, odd),
    object: fc.record(
      {
        apiVersion: orOdd(fc.constant('v1')),
        kind: orOdd(fc.constantFrom('ConfigMap', 'Service', 'CustomResourceDefinition')),
        metadata: orOdd(metadata),
        spec: odd,
        data: odd,
      },
      { requiredKeys: [] },
    ),
    list: fc.record(
      {
        apiVersion: orOdd(fc.constant('v1')),
        kind: fc.constantFrom('List', 'ConfigMapList'),
        items: orOdd(fc.array(tie('document'), { maxLength: 2 })),
      },
      { requiredKeys: ['kind'] },
    ),
  }));

  /** What users can read is a TshelmError; anything else is a defect. */
  async function neverInternal(text: string, task: () => Promise<unknown>): Promise<void> {
    try {
      await task();
    } catch (error) {
      if (!(error instanceof TshelmError)) throw new Error(`internal error with:\n${text}`, { cause: error });
    }
  }

  test('never ends in an internal error', async () => {
    await fc.assert(
      fc.asyncProperty(document, async (value) => {
        const text = writePlainYaml(value);
        const chart = await chartWith(text);
        const name = 'web';
        const fresh = openWorld();
        await neverInternal(text, () => install(chart, noValues, { name }, fresh.context));
        const world = openWorld();
        const { cluster, context } = world;
        await install(await chartOf(sound), noValues, { name }, context);
        for (const options of [{}, { wait: 'ordered' }] as const) {
          const target = { name, namespace: 'default', ...options };
          await neverInternal(text, () => templateChart(chart, noValues, target));
          await neverInternal(text, () => templateChart(chart, noValues, { ...target, cluster }));
          await neverInternal(text, () => upgrade(chart, noValues, { name, dryRun: 'plan', ...options }, context));
        }
        await neverInternal(text, () => diffUpgrade(chart, noValues, { name }, context));
        await neverInternal(text, () => upgrade(chart, noValues, { name }, context));
        await neverInternal(text, () => diffRollback({ name, revision: 1 }, context));
        await neverInternal(text, () => rollback({ name, revision: 1 }, context));
        await neverInternal(text, () => uninstall({ name }, context));
      }),
      { numRuns: 60 },
    );
  });
});
