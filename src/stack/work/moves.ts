import { foreseeMove, move } from '../../actions/move.ts';
import { foreseeRename, rename } from '../../actions/rename.ts';
import { upgrade } from '../../actions/upgrade.ts';
import type { ForeseenMove, MovePlan, MoveResult } from '../../change/moves/moves.ts';
import { manifestsNamed } from '../../change/moves/named-objects.ts';
import { readStoredManifest } from '../../plan/stored-manifest.ts';
import { foreseenStorage } from '../../release/foreseen-storage.ts';
import { isValidReleaseName } from '../../release/name.ts';
import { hasCode, TshelmError } from '../../support/errors.ts';
import { addTo, groupBy } from '../../support/group-by.ts';
import { createsNamespace } from '../action-options.ts';
import { withLocation } from '../location.ts';
import { movedCluster } from '../moved-cluster.ts';
import type { StackFile } from '../read-stack.ts';
import { isWanted, needId, releaseId } from '../releases.ts';
import type { MoveSpec, ReleaseSpec } from '../schema.ts';
import { deployOptionsOf } from './options.ts';
import { contextOf } from './sessions.ts';
import { preparedRelease, type StackWork } from './work.ts';

/** What a file says under `moved`: a release that had another name, or objects that another release had. */
interface StackMove {
  /** The release that it goes to. */
  readonly to: ReleaseSpec;
  readonly file: StackFile;
  readonly kubeContext: string;
  readonly from: { readonly id: string; readonly name: string; readonly namespace: string };
  /** Undefined where the whole release is renamed. */
  readonly objects: readonly string[] | undefined;
  /** `FILE:LINE` of what the entry says. */
  readonly placeOf: (key: keyof MoveSpec, text?: string) => string;
}

/** Carries out what has not been moved yet, before any release is deployed. Errors: `stack-invalid`, those of move and rename. */
export async function carryOutMoves(work: StackWork): Promise<void> {
  for (const one of movesOf(work)) {
    // What has been moved already needs no lock, and no release that is deployed.
    if ((await foreseen(one, work)).result.isUnchanged) continue;
    const { options, session } = await requestOf(one, work);
    const { objects } = one;
    tell(objects === undefined ? await rename(options, session) : await move({ ...options, objects }, session), work);
  }
}

async function foreseen(one: StackMove, work: StackWork): Promise<ForeseenMove> {
  const { options, session } = await requestOf(one, work);
  const { objects, to, from } = one;
  const found =
    objects === undefined
      ? await foreseeRename(options, session).catch((error: unknown) => {
          throw hasCode(error, 'name-in-use') ? bothThere(one, error) : error;
        })
      : await foreseeMove({ ...options, objects }, session).catch((error: unknown) => {
          throw hasCode(error, 'bad-options') ? withLocation(error, () => one.placeOf('objects', objects[0])) : error;
        });
  if (found.unknown.length > 0) await refuseUnknown(found.unknown, one, work);
  if (found.result.isUnchanged && (await isNowhere(options, session)))
    work.tools.progress.tell(
      `warning: ${one.placeOf('from', from.name)}: moved: neither ${from.id} nor ${releaseId(to)} is in the cluster, so nothing moves`,
    );
  return found;
}

const bothThere = ({ from, to, file, placeOf }: StackMove, cause: TshelmError): TshelmError =>
  new TshelmError('stack-invalid', {
    message: `${placeOf('from', from.name)}: moved: ${from.id} cannot be renamed to ${releaseId(to)}: both are in the cluster; uninstall one of them, or list objects to move some`,
    details: { file: file.source },
    cause,
  });

/** Whether neither release is there: in a new cluster, or where `from` is not what the release was called. */
async function isNowhere({ name, to, toNamespace }: Request['options'], session: Request['session']): Promise<boolean> {
  const histories = [
    (await session.storage()).revisions(name),
    (await session.inNamespace(toNamespace).storage()).revisions(to),
  ];
  return (await Promise.all(histories)).every((history) => history.length === 0);
}

/**
 * An object that no release had is one that the target's chart brings, or a mistake: then the release that loses the object
 * would delete it. Errors: `stack-invalid`.
 */
async function refuseUnknown(names: readonly string[], { to, from, placeOf }: StackMove, work: StackWork) {
  const node = work.nodes.find(({ id }) => id === releaseId(to));
  if (node === undefined) return;
  const { chart, values, session } = await preparedRelease(node, work);
  const options = { ...deployOptionsOf(node, work, { overrides: {} }), dryRun: 'client' } as const;
  const { release } = await upgrade(chart, values, options, { ...session, onEvent: () => undefined });
  const { unknown } = manifestsNamed(names, readStoredManifest(release.manifest), {
    release: release.name,
    namespace: release.namespace,
  });
  const [first] = unknown;
  if (first === undefined) return;
  throw new TshelmError('stack-invalid', {
    message: `${placeOf('objects', first)}: moved: neither release ${from.id} nor ${node.id} has ${unknown.join(' or ')}; correct the name, or remove what was moved long ago`,
    details: { file: node.file.source },
  });
}

/**
 * What {@link carryOutMoves} would do, by the releases that something is moved to. From now on the stack is planned with the
 * records and the owners of objects as they are after it. Errors: `stack-invalid`, those of move and rename.
 */
export async function foreseeMoves(work: StackWork): Promise<ReadonlyMap<string, readonly MovePlan[]>> {
  const found = new Map<string, MovePlan[]>();
  for (const one of movesOf(work)) {
    const { kubeContext } = one;
    const { result, histories } = await foreseen(one, work);
    if (result.isUnchanged) continue;
    tell(result, work);
    work.moves.push(result.plan);
    for (const [namespace, records] of groupBy(histories, (record) => record.namespace))
      await foresee({ kubeContext, namespace, histories: historiesOf(records), plan: result.plan }, one, work);
    addTo(found, releaseId(one.to), result.plan);
  }
  return found;
}

interface Foreseen {
  readonly kubeContext: string;
  readonly namespace: string;
  readonly histories: Parameters<typeof foreseenStorage>[1];
  readonly plan: MovePlan;
}

const historiesOf = (records: ForeseenMove['histories']): Foreseen['histories'] =>
  new Map(records.map(({ release, history }) => [release, history]));

/** A release without a namespace of its own is worked on in that of the kubeconfig. */
async function foresee(
  { kubeContext, namespace, histories, plan }: Foreseen,
  { to }: StackMove,
  { sessions }: StackWork,
): Promise<void> {
  const session = await sessions.in(kubeContext, namespace);
  const storage = session.storage().then((opened) => foreseenStorage(opened, histories));
  const moved = plan.objects.filter(({ state }) => state === 'changes');
  const cluster = session.cluster().then((opened) => movedCluster(opened, moved, plan.to));
  const foreseen = { ...session, storage: () => storage, cluster: () => cluster };
  sessions.use(kubeContext, namespace, foreseen);
  const isOwn = (to.namespace ?? '') === '' && (await sessions.in(kubeContext, '')).namespace === namespace;
  if (isOwn) sessions.use(kubeContext, '', foreseen);
}

type Request = Awaited<ReturnType<typeof requestOf>>;

async function requestOf({ to, file, from, kubeContext }: StackMove, { sessions }: StackWork) {
  const session = await sessions.in(kubeContext, from.namespace);
  const target = await sessions.in(kubeContext, to.namespace ?? '');
  return {
    session: {
      ...session,
      inNamespace: (namespace: string) => (namespace === target.namespace ? target : session.inNamespace(namespace)),
    },
    options: {
      name: from.name,
      to: to.name ?? '',
      toNamespace: target.namespace,
      createNamespace: createsNamespace(to, file),
      ignoreNotFound: true,
      // Jobs of one stack may come to the same move at once; the second finds it done.
      waitLockMs: 60_000,
    },
  };
}

function tell({ plan, isUnchanged, warnings }: MoveResult, { tools: { progress } }: StackWork): void {
  if (isUnchanged) return;
  const { from, to, objects, kind } = plan;
  const what = kind === 'rename' ? '' : ` ${objects.map(({ kind: of, name }) => `${of}/${name}`).join(', ')}`;
  progress.tell(`moved:${what} ${from?.namespace}/${from?.release} -> ${to.namespace}/${to.release}`);
  for (const warning of warnings) progress.tell(`warning: ${warning}`);
}

/** Those of which a release is worked on. Errors: `stack-invalid`. */
function movesOf({ files, nodes }: StackWork): readonly StackMove[] {
  const ids = new Set(nodes.map(({ id }) => id));
  const all = files.flatMap((file) => (file.spec.moved ?? []).map((spec) => moveOf(spec, file)));
  all.forEach((move, index) => refuseRenamedBefore(move, all.slice(0, index)));
  return all.filter(({ to, from, objects }) => ids.has(releaseId(to)) || (objects !== undefined && ids.has(from.id)));
}

/** Once a release has another name, nothing can come from the old one. Errors: `stack-invalid`. */
function refuseRenamedBefore({ from, to, kubeContext, file, placeOf }: StackMove, before: readonly StackMove[]): void {
  const renamed = before.find(
    (one) => one.objects === undefined && one.from.id === from.id && one.kubeContext === kubeContext,
  );
  if (renamed === undefined || releaseId(renamed.to) === releaseId(to)) return;
  throw new TshelmError('stack-invalid', {
    message: `${placeOf('to', `to: ${to.name}`)}: moved: an earlier entry renames ${from.id} to ${releaseId(renamed.to)}, so nothing comes from ${from.id} to ${releaseId(to)}; correct one of the entries`,
    details: { file: file.source },
  });
}

function moveOf({ from = '', to = '', objects }: MoveSpec, file: StackFile): StackMove {
  const place = (key: string, text: string): string =>
    file.locate({ field: 'moved', keys: text === '' ? [] : [key], text: text || undefined });
  const invalid = (problem: string, where = place('to', to)): TshelmError =>
    new TshelmError('stack-invalid', { message: `${where}: moved: ${problem}`, details: { file: file.source } });
  if (from === '' || to === '') throw invalid('each entry needs from and to, the names of two releases');
  if (!isReleaseReference(from))
    throw invalid(`from must be NAME or NAMESPACE/NAME of a release: ${from}`, place('from', from));
  const found = file.releases.filter((release) => isWanted(release) && isNamed(to, release));
  const [target] = found;
  if (target === undefined) throw invalid(`to names no release of this file that is installed: ${to}`);
  if (found.length > 1) throw invalid(`several releases have the name ${to}; write NAMESPACE/NAME`);
  const source = needId(from, target);
  if (source === releaseId(target)) throw invalid(`from and to are the same release: ${to}`);
  const isStaying = file.releases.some((release) => isWanted(release) && releaseId(release) === source);
  if (objects === undefined && isStaying)
    throw invalid(
      `${from} is still a release of this file, so it cannot be renamed to ${to}; list objects to move some`,
    );
  const [name = '', namespace = ''] = source.split('/').toReversed();
  return {
    to: target,
    file,
    kubeContext: contextOf(target, file),
    from: { id: source, name, namespace },
    objects,
    placeOf: (key, text = '') => place(key, text),
  };
}

/** `shop`, or `web/shop`. */
function isReleaseReference(text: string): boolean {
  const [name = '', ...namespace] = text.split('/').toReversed();
  return isValidReleaseName(name) && namespace.length < 2 && namespace.every(isValidReleaseName);
}

const isNamed = (name: string, release: ReleaseSpec): boolean => needId(name, release) === releaseId(release);
