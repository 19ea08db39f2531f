import { describe, expect, test } from 'vitest';
import { decide } from '../../src/change/decide.ts';
import { noCrds } from '../../src/change/deploy/crds.ts';
import type { ChangeOptions, Rendered } from '../../src/change/phases.ts';
import type { Plan } from '../../src/plan/types.ts';
import { ifStoppedText } from '../../src/show/words.ts';
import { hookOf, manifestsOf } from '../plan/manifests.ts';
import { releaseOf } from '../release/releases.ts';

const history = [
  releaseOf('web', 1, 'superseded'),
  releaseOf('web', 2, 'failed'),
  releaseOf('web', 3, 'deployed', { manifest: '---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: old}\n' }),
];

/** A change of `web` that brings one ConfigMap and runs one hook at each event. */
function changeOf(
  action: Plan['action'],
  options: Partial<ChangeOptions> = {},
  over: Partial<Rendered> = {},
): Rendered {
  const release = releaseOf('web', 4, 'pending-upgrade');
  return {
    action,
    plannedAs: action,
    options: { name: 'web', ...options },
    lastPhase: 'finished',
    sight: 'served',
    namespace: release.namespace,
    history,
    replaced: action === 'upgrade' || action === 'rollback' ? history[2] : undefined,
    release,
    recordedAs: 'pending-upgrade',
    manifests: manifestsOf('ConfigMap/new'),
    hooks: [hookOf('migrate', { events: ['pre-upgrade', 'pre-delete', 'test'] })],
    order: { strategy: 'hookOnly', warnings: [] },
    crds: noCrds,
    warnings: [],
    isWeighed: true,
    ...over,
  };
}

const kindsOf = ({ steps }: Plan): readonly string[] => steps.map(({ kind }) => kind);

describe('the steps of a plan', () => {
  test.each<[Plan['action'], Partial<Rendered>, string[]]>([
    ['install', {}, ['record', 'apply']],
    ['upgrade', {}, ['record', 'run-hooks', 'apply', 'delete']],
    ['rollback', {}, ['record', 'apply', 'delete']],
    ['uninstall', {}, ['record', 'run-hooks', 'delete', 'hook-objects']],
    ['test', { recordedAs: undefined }, ['run-hooks']],
  ])('%s', (action, over, kinds) => expect(kindsOf(decide(changeOf(action, {}, over)).plan)).toEqual(kinds));

  test('CRDs and the namespace come before the record: they stay, whatever becomes of the release', () => {
    const crds = { manifests: manifestsOf('CustomResourceDefinition/widgets'), existing: new Set<string>() };
    const { plan } = decide(changeOf('install', { createNamespace: true }, { crds }));
    expect(kindsOf(plan)).toEqual(['install-crds', 'create-namespace', 'record', 'apply']);
  });

  test('an install that an upgrade resumes finds its namespace there', () => {
    const { plan } = decide(changeOf('upgrade', { createNamespace: true }, { plannedAs: 'install' }));
    expect(plan.action).toBe('install');
    expect(kindsOf(plan)).toEqual(['record', 'apply']);
  });
});

describe('what a failure leads to', () => {
  test.each<[Plan['action'], Partial<ChangeOptions>, string | undefined]>([
    ['install', {}, 'mark the revision failed'],
    ['install', { rollbackOnFailure: true }, 'uninstall the release'],
    ['upgrade', {}, 'mark the revision failed'],
    [
      'upgrade',
      { cleanupOnFail: true, rollbackOnFailure: true },
      'mark the revision failed, then delete what was created, then roll back to revision 3',
    ],
    [
      'rollback',
      { cleanupOnFail: true },
      'mark the revision failed, then mark revision 3 as superseded, then delete what was created',
    ],
    ['uninstall', {}, undefined],
    ['test', {}, undefined],
  ])('%s %j', (action, options, text) =>
    expect(ifStoppedText(decide(changeOf(action, options)).plan)).toBe(
      text === undefined ? undefined : `on failure: stop, then ${text}`,
    ),
  );

  test('a revision that makes room for the new one is none to go back to', () => {
    const failed = [releaseOf('web', 1, 'superseded'), releaseOf('web', 2, 'failed')];
    const way = (maxHistory: number) =>
      decide(changeOf('upgrade', { rollbackOnFailure: true, maxHistory }, { history: failed, replaced: failed[1] }))
        .plan.ifStopped?.[1];
    expect(way(0)).toEqual({ kind: 'roll-back', revision: 1 });
    expect(way(2)).toEqual({ kind: 'roll-back', revision: undefined });
  });
});
