import { foreseeMove, move } from '../../actions/move.ts';
import { foreseeRename, rename } from '../../actions/rename.ts';
import type { ForeseenMove, MovePlan, MoveResult } from '../../change/moves/moves.ts';
import { foreseenStorage } from '../../release/foreseen-storage.ts';
import { TshelmError } from '../../support/errors.ts';
import { createsNamespace } from '../action-options.ts';
import type { StackFile } from '../read-stack.ts';
import { isWanted, needId, releaseId } from '../releases.ts';
import type { MoveSpec, ReleaseSpec } from '../schema.ts';
import { contextOf } from './sessions.ts';
import type { StackWork } from './work.ts';

/** What a file says under `moved`: a release that had another name, or objects that another release had. */
interface StackMove {
  /** The release that it goes to. */
  readonly to: ReleaseSpec;
  readonly file: StackFile;
  readonly kubeContext: string;
  readonly from: { readonly id: string; readonly name: string; readonly namespace: string };
  readonly objects: readonly string[];
}

/** Carries out what has not been moved yet, before any release is deployed. Errors: `stack-invalid`, those of move and rename. */
export async function carryOutMoves(work: StackWork): Promise<void> {
  for (const one of movesOf(work)) {
    // What has been moved already needs no lock, and no release that is deployed.
    if ((await foreseen(one, work)).result.isUnchanged) continue;
    const { options, session } = await requestOf(one, work);
    const { objects } = one;
    tell(objects.length === 0 ? await rename(options, session) : await move({ ...options, objects }, session), work);
  }
}

async function foreseen(one: StackMove, work: StackWork): Promise<ForeseenMove> {
  const { options, session } = await requestOf(one, work);
  const { objects } = one;
  return objects.length === 0 ? foreseeRename(options, session) : foreseeMove({ ...options, objects }, session);
}

/**
 * What {@link carryOutMoves} would do, by the releases that something is moved to. From now on the stack is planned with the
 * records as they are after it. Errors: `stack-invalid`, those of move and rename.
 */
export async function foreseeMoves(work: StackWork): Promise<ReadonlyMap<string, readonly MovePlan[]>> {
  const found = new Map<string, readonly MovePlan[]>();
  for (const one of movesOf(work)) {
    const { kubeContext } = one;
    const { result, histories } = await foreseen(one, work);
    if (result.isUnchanged) continue;
    tell(result, work);
    for (const { release, namespace, history } of histories)
      await foresee({ kubeContext, namespace, histories: new Map([[release, history]]) }, one, work);
    const id = releaseId(one.to);
    found.set(id, [...(found.get(id) ?? []), result.plan]);
  }
  return found;
}

interface Foreseen {
  readonly kubeContext: string;
  readonly namespace: string;
  readonly histories: Parameters<typeof foreseenStorage>[1];
}

/** A release without a namespace of its own is worked on in that of the kubeconfig. */
async function foresee(
  { kubeContext, namespace, histories }: Foreseen,
  { to }: StackMove,
  { sessions }: StackWork,
): Promise<void> {
  const session = await sessions.in(kubeContext, namespace);
  const storage = session.storage().then((opened) => foreseenStorage(opened, histories));
  const foreseen = { ...session, storage: () => storage };
  sessions.use(kubeContext, namespace, foreseen);
  const isOwn = (to.namespace ?? '') === '' && (await sessions.in(kubeContext, '')).namespace === namespace;
  if (isOwn) sessions.use(kubeContext, '', foreseen);
}

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

/** Those of which a release is worked on. */
function movesOf({ files, nodes }: StackWork): readonly StackMove[] {
  const ids = new Set(nodes.map(({ id }) => id));
  return files
    .flatMap((file) => (file.spec.moved ?? []).map((spec) => moveOf(spec, file)))
    .filter(({ to, from, objects }) => ids.has(releaseId(to)) || (objects.length > 0 && ids.has(from.id)));
}

function moveOf({ from = '', to = '', objects = [] }: MoveSpec, file: StackFile): StackMove {
  const place = (): string => file.locate({ field: 'moved', keys: to === '' ? [] : ['to'], text: to || undefined });
  const invalid = (problem: string): TshelmError =>
    new TshelmError('stack-invalid', { message: `${place()}: moved: ${problem}`, details: { file: file.source } });
  if (from === '' || to === '') throw invalid('each entry needs from and to, the names of two releases');
  const found = file.releases.filter((release) => isWanted(release) && isNamed(to, release));
  const [target] = found;
  if (target === undefined) throw invalid(`to names no release of this file that is installed: ${to}`);
  if (found.length > 1) throw invalid(`several releases have the name ${to}; write NAMESPACE/NAME`);
  const source = needId(from, target);
  if (source === releaseId(target)) throw invalid(`from and to are the same release: ${to}`);
  const isStaying = file.releases.some((release) => isWanted(release) && releaseId(release) === source);
  if (objects.length === 0 && isStaying)
    throw invalid(
      `${from} is still a release of this file, so it cannot be renamed to ${to}; list objects to move some`,
    );
  const [name = '', namespace = ''] = source.split('/').toReversed();
  return { to: target, file, kubeContext: contextOf(target, file), from: { id: source, name, namespace }, objects };
}

const isNamed = (name: string, release: ReleaseSpec): boolean => needId(name, release) === releaseId(release);
