import { isApiError, lacksNamespace } from '../../cluster/api-error.ts';
import type { ApiFailure, Cluster } from '../../cluster/types.ts';
import { mergePatch } from '../../kinds/merge-patch.ts';
import { fieldDifferences } from '../../manifest/field-differences.ts';
import { type FieldRule, rulesOf } from '../../manifest/field-rules.ts';
import { haveSameManagers } from '../../manifest/field-writers.ts';
import { itemsOf } from '../../manifest/items.ts';
import { groupKey, kindInGroup, objectKey } from '../../manifest/resource-id.ts';
import type { KubernetesObject, Manifest, ResourceId } from '../../manifest/types.ts';
import { isNamespaceGoing, lacksDryRun, lacksRight } from '../../problem/foreign/api-status.ts';
import type { Remedy } from '../../problem/remedy.ts';
import { createLimiter, type Limiter } from '../../support/concurrency.ts';
import { hasCode, messageOf } from '../../support/errors.ts';
import type { Json } from '../../support/json.ts';
import { applyByRules, type FieldChoices, keptByRules, keptOfReplaced } from '../apply/by-rules.ts';
import { type Found, findGroups } from '../apply/existing.ts';
import { upgradePatch } from '../apply/field-manager.ts';
import { type Owner, otherOwner, ownerOf, ownershipProblem, withOwner } from '../apply/ownership.ts';
import { remediesFor, withFields } from '../apply/refused-changes.ts';
import { type Replacement, replacementFor } from '../apply/replace/replacement.ts';
import type { ClaimGrowth } from '../apply/replace/stateful-set.ts';
import { tryAsNew } from '../apply/replace/trial.ts';
import { type DeclaredKinds, resolveTargets, type Target } from '../apply/targets.ts';
import { isBeingDeleted } from '../apply/terminating.ts';
import { threeWayPatch } from '../apply/three-way.ts';
import { defaultConcurrency } from '../context.ts';
import { applyFailure } from '../failures.ts';
import type { ReplaceRules } from '../replace-rules.ts';
import { counted, previewReplacement } from './preview-replacement.ts';

/** What would become of one object. */
export interface Preview {
  readonly id: ResourceId;
  /** As it is now; undefined when it is not there, or is being deleted. */
  readonly live: KubernetesObject | undefined;
  /** It goes whatever is written to it: a deploy waits until it is gone, and creates it anew. */
  readonly isGoing?: true | undefined;
  /** As the server would make it. An object that is not there yet is shown as it would be sent. */
  readonly result: KubernetesObject;
  /** Why the server writes it also where that changes nothing else. */
  readonly rewrittenFor?: string | undefined;
  /** What rules for its fields make of it. */
  readonly choices?: FieldChoices | undefined;
  /** What is not known about it, and why. */
  readonly notes: readonly string[];
  /** Why the server, or the deploy before it, would refuse. */
  readonly problem?: string | undefined;
  /** The server's answer to the dry run, where that is no object; `problem` is not set where it only says nothing of a deploy. */
  readonly refusal?: ApiFailure | undefined;
  /** An option of the run, or a deletion, that helps. */
  readonly remedies?: readonly Remedy[] | undefined;
  /** It is deleted and created again. */
  readonly replaced?: Replacement | undefined;
  /** Claims that grow with it. */
  readonly grown?: readonly ClaimGrowth[] | undefined;
  /** Nothing that the release brings ends its problem: it belongs to somebody else, or is in use. */
  readonly isFinal?: true | undefined;
  /** It belongs to somebody else, and `takeOwnership` takes it over. */
  readonly adopted?: Adopted | undefined;
  /** The same where it is not taken over. */
  readonly foreign?: Adopted | undefined;
}

/** Whose an object is that is taken over: the release that its annotations name; absent where they name none. */
export interface Adopted {
  readonly from?: Owner | undefined;
}

export interface PreviewOptions {
  readonly cluster: Cluster;
  /** The release, and the namespace of objects that name none. */
  readonly owner: Owner;
  /** False for CRDs of `crds/`, which carry no ownership metadata. */
  readonly isOwned?: boolean | undefined;
  readonly applyMethod?: 'ssa' | 'csa' | undefined;
  readonly forceConflicts?: boolean | undefined;
  /** Objects that are forced also without `forceConflicts`. */
  readonly takesOver?: ((id: ResourceId) => boolean) | undefined;
  /** As in a run (execute/context.ts). */
  readonly fieldRules?: readonly FieldRule[] | undefined;
  readonly forceReplace?: boolean | undefined;
  readonly takeOwnership?: boolean | undefined;
  /** Which objects may be deleted and created again; default none. */
  readonly replaceRules?: ReplaceRules | undefined;
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore' | undefined;
  /** The objects of the revision that is replaced, by key: they may belong to anybody, and are the base of a three-way merge. */
  readonly originals?: ReadonlyMap<string, KubernetesObject> | undefined;
  /** As in a run (execute/context.ts). */
  readonly replaced?: ReadonlyMap<string, KubernetesObject> | undefined;
  /** Takes over the fields of client-side apply, for releases that change their method. */
  readonly upgradeFieldManager?: boolean | undefined;
  /** Kinds and namespaces that the release itself brings. */
  readonly declared?: DeclaredKinds | undefined;
  readonly newNamespaces?: ReadonlySet<string> | undefined;
  /** By objectKey: objects that the caller has just looked for and not found. */
  readonly absent?: ReadonlySet<string> | undefined;
  readonly concurrency?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What applying these manifests would change, by a server-side dry run of each object; nothing is stored. */
export const previewApply = async (
  manifests: readonly Manifest[],
  options: PreviewOptions,
): Promise<readonly Preview[]> => Promise.all((await startPreviews(manifests, options)).previews);

export interface StartedPreviews {
  /** What is in the cluster of the objects, before the first is tried. */
  readonly live: Promise<readonly KubernetesObject[]>;
  readonly previews: readonly Promise<Preview>[];
}

/** The same, for who works on each preview while the server answers the others. */
export async function startPreviews(manifests: readonly Manifest[], options: PreviewOptions): Promise<StartedPreviews> {
  const targets = await targetsOf(manifests, options);
  const limit = createLimiter(options.concurrency ?? defaultConcurrency);
  const found = findGroups(
    targets
      .filter(isNamed)
      .map(({ id }) => id)
      .filter((id) => !options.absent?.has(objectKey(id))),
    { ...options, limit },
  );
  const previews = new Previews(options, found, limit);
  return {
    live: Promise.all(found.values()).then((parts) => parts.flatMap(({ objects }) => [...objects.values()])),
    previews: targets.map((target) => previews.of(target)),
  };
}

const isNamed = ({ id }: Target): boolean => id.name !== '';

/** Kinds that nothing serves are taken for namespaced ones, so that the other objects can be compared. */
async function targetsOf(manifests: readonly Manifest[], options: PreviewOptions): Promise<readonly Target[]> {
  const { cluster, owner, signal, declared = new Map(), isOwned = true } = options;
  const kinds = manifests
    .flatMap(({ object }) => itemsOf(object))
    .map((object): [string, boolean] => [kindInGroup(object), true]);
  const where = { cluster, namespace: owner.namespace, signal };
  const targets = await resolveTargets(manifests, where, new Map([...kinds, ...declared]));
  return isOwned ? targets.map(({ id, object }) => ({ id, object: withOwner(object, owner) })) : targets;
}

/** The namespaces among the objects that are on their way out. */
async function goingNamespacesIn(found: ReadonlyMap<string, Promise<Found>>): Promise<ReadonlySet<string>> {
  const key = groupKey({ apiVersion: 'v1', kind: 'Namespace', namespace: '', name: '' });
  // Where namespaces cannot be read, that is reported of each of them.
  const group = await found.get(key)?.catch(() => undefined);
  const going = [...(group?.objects.values() ?? [])].filter(isBeingDeleted);
  return new Set(going.map(({ metadata }) => metadata.name));
}

class Previews {
  readonly #options: PreviewOptions;
  readonly #found: ReadonlyMap<string, Promise<Found>>;
  readonly #goingNamespaces: Promise<ReadonlySet<string>>;
  readonly #limit: Limiter;

  constructor(options: PreviewOptions, found: ReadonlyMap<string, Promise<Found>>, limit: Limiter) {
    this.#options = options;
    this.#found = found;
    this.#goingNamespaces = goingNamespacesIn(found);
    this.#limit = limit;
  }

  async of(target: Target): Promise<Preview> {
    const { id, object } = target;
    const { cluster, signal, declared } = this.#options;
    if ((await cluster.mapping(id.apiVersion, id.kind, { signal })) === undefined) {
      const text = `the cluster does not serve ${id.kind} (${id.apiVersion})`;
      return declared?.has(kindInGroup(id))
        ? { id, live: undefined, result: object, notes: [`${text} yet; not checked by the server`] }
        : { id, live: undefined, result: object, notes: [], problem: `${text}; ensure CRDs are installed first` };
    }
    const early = this.#triedEarly(target);
    const found = await this.#found.get(groupKey(id));
    const unreadable = found?.failures.find((failure) => failure.id === id);
    if (unreadable !== undefined) {
      const problem = `it cannot be compared: ${messageOf(unreadable.cause)}`;
      return { id, live: undefined, result: object, notes: [], problem };
    }
    const live = found?.objects.get(objectKey(id));
    const foreign = live && this.#foreignProblem(id, live);
    if (live !== undefined && foreign === undefined && (await this.#isGoing(id, live)))
      return this.#chosen(target, (one) => this.#asNew(one, live));
    if (live === undefined) return this.#chosen(target, (one) => this.#dryRunUntilStable(one, live, early));
    const tried = await this.#dryRunUntilStable(target, live, early);
    if (foreign === undefined) return { ...(await this.#orReplaced(target, tried)), ...this.#takenBack(live) };
    if (this.#options.takeOwnership)
      return { ...(await this.#orReplaced(target, tried)), adopted: { from: ownerOf(live) } };
    return {
      ...tried,
      problem: foreign,
      foreign: { from: otherOwner(live, this.#options.owner) },
      isFinal: true,
    };
  }

  /** What is not there, and was deleted to be created anew, keeps what is left to others. */
  async #chosen(target: Target, tried: (target: Target) => Promise<Preview>): Promise<Preview> {
    const { object, left } = keptOfReplaced(target, this.#options);
    return { ...(await tried({ ...target, object })), ...hasChosen({ left, taken: [] }) };
  }

  async #isGoing({ namespace }: ResourceId, live: KubernetesObject): Promise<boolean> {
    return isBeingDeleted(live) || (await this.#goingNamespaces).has(namespace);
  }

  async #asNew(target: Target, going: KubernetesObject): Promise<Preview> {
    const trial = this.#limit(() => tryAsNew(target, going, this.#options));
    const answer = trial.then((made) => plainly(made ?? target.object));
    const { notes, ...tried } = await this.#dryRunUntilStable(target, undefined, answer);
    return { ...tried, notes: ['it is being deleted: it is created anew once it is gone', ...notes], isGoing: true };
  }

  /** Where somebody has agreed that the object is replaced, what that would make of it. */
  async #orReplaced(target: Target, tried: Preview): Promise<Preview> {
    const { live, refusal } = tried;
    const { replaceRules: rules, owner } = this.#options;
    if (rules === undefined || live === undefined) return tried;
    try {
      const replaced = replacementFor(target, live, { refusal, owner, rules });
      if (replaced === undefined) return tried;
      const preview = await this.#limit(() => previewReplacement(target, { live, replaced }, this.#options));
      return { id: target.id, live, ...preview };
    } catch (error) {
      if (!hasCode(error, 'ownership-conflict', 'apply-failed')) throw error;
      return { ...tried, problem: error.message, isFinal: true };
    }
  }

  /** Why the object would not be taken into the release, unless its ownership is taken. */
  #foreignProblem(id: ResourceId, live: KubernetesObject): string | undefined {
    const { owner, originals, isOwned = true } = this.#options;
    if (!isOwned || originals?.has(objectKey(id))) return undefined;
    const problem = ownershipProblem(live, owner);
    return problem && `it exists and cannot be imported into the release: ${problem}`;
  }

  /** What another release has taken from this one: as Helm does, the next change of this one takes it back without being asked to. */
  #takenBack(live: KubernetesObject): Pick<Preview, 'adopted'> {
    const { owner, isOwned = true } = this.#options;
    const from = isOwned ? otherOwner(live, owner) : undefined;
    return from === undefined ? {} : { adopted: { from } };
  }

  /** The dry run of what is sent in the same way whatever is there: it need not wait until that is known. */
  #triedEarly({ id, object }: Target): Promise<Answer> | undefined {
    const { upgradeFieldManager, fieldRules } = this.#options;
    const hangsOnLive = this.#isClientSide || upgradeFieldManager || rulesOf(id, fieldRules).length > 0;
    if (hangsOnLive || !isNamed({ id, object })) return undefined;
    const answer = this.#limit(() => this.#apply(object, this.#isForced(id))).then(plainly);
    // It is awaited once the object is looked for; a refusal before that must not count as unhandled.
    answer.catch(() => {});
    return answer;
  }

  async #dryRunUntilStable(
    target: Target,
    before: KubernetesObject | undefined,
    early: Promise<Answer> | undefined,
  ): Promise<Preview> {
    const { id, object } = target;
    const { newNamespaces } = this.#options;
    let live = before;
    try {
      let answer = await (early ?? this.#limit(() => this.#dryRun(target, live)));
      for (let reads = 0; live !== undefined && isVersionConflict(live, answer.written) && reads < mostReads; reads++) {
        live = await this.#limit(() => this.#options.cluster.get(id, { signal: this.#options.signal }));
        answer = await this.#limit(() => this.#dryRun(target, live));
      }
      const { written, ...choices } = answer;
      const result = live === undefined ? object : written;
      const rewrittenFor =
        live === undefined || haveSameManagers(live, written) ? undefined : this.#whyRewritten(target, written);
      return { id, live, result, notes: [], ...(rewrittenFor && { rewrittenFor }), ...hasChosen(choices) };
    } catch (error) {
      if (!isApiError(error)) throw error;
      const result = live === undefined ? object : this.#merged(target, live);
      const refusal = error.failure;
      const note = await this.#unansweredNote(refusal, id);
      if (note !== undefined) return { id, live, result, notes: [note], refusal };
      const failure = withFields(applyFailure(id, error, this.#isClientSide));
      const refused = {
        problem: messageOf(failure),
        refusal,
        remedies: this.#remedies(id, refusal),
        ...(newNamespaces !== undefined && this.#lacksOwnNamespace(id, refusal) && { isFinal: true as const }),
      };
      if (refusal.reason !== 'Conflict' || this.#isClientSide) return { id, live, result, notes: [], ...refused };
      // Where the forced dry run is refused too, the manifests are compared.
      const forced = await this.#limit(() => this.#apply(object, true)).catch(() => result);
      return { id, live, result: forced, notes: [], ...refused };
    }
  }

  #remedies(id: ResourceId, refusal: ApiFailure): readonly Remedy[] {
    return this.#lacksOwnNamespace(id, refusal)
      ? [{ kind: 'set-option', option: 'createNamespace' }]
      : remediesFor(id, refusal, this.#options);
  }

  /** The release's own namespace has to be there before anything is recorded. */
  #lacksOwnNamespace({ namespace }: ResourceId, refusal: ApiFailure): boolean {
    return namespace === this.#options.owner.namespace && lacksNamespace(refusal);
  }

  /** Why a dry run says nothing about what a deploy would do; undefined when it does. */
  async #unansweredNote(refusal: ApiFailure, { namespace }: ResourceId): Promise<string | undefined> {
    const { message } = refusal;
    if (this.#options.newNamespaces?.has(namespace) && lacksNamespace(refusal))
      return `the namespace ${namespace} does not exist yet; not checked by the server`;
    if (isNamespaceGoing(refusal) && (await this.#goingNamespaces).has(namespace))
      return `the namespace ${namespace} is being deleted and comes anew; not checked by the server`;
    if (lacksRight(refusal)) return `a dry run is not allowed here, so only the manifests are compared: ${message}`;
    if (lacksDryRun(refusal))
      return `a webhook does not support dry runs, so only the manifests are compared: ${message}`;
    return undefined;
  }

  get #isClientSide(): boolean {
    return this.#options.applyMethod === 'csa';
  }

  /** The request that the deploy would send, as a dry run. */
  async #dryRun(target: Target, live: KubernetesObject | undefined): Promise<Answer> {
    const { id, object } = target;
    const { cluster, upgradeFieldManager, fieldRules } = this.#options;
    if (live === undefined) {
      const isPosted = this.#isClientSide || object.metadata.name === '';
      return plainly(await (isPosted ? cluster.create(object, this.#writeOptions) : this.#apply(object, false)));
    }
    const changesMethod = upgradeFieldManager && upgradePatch(live) !== undefined;
    if (this.#isClientSide || changesMethod) {
      const { object: sent, left } = keptByRules(target, live, fieldRules);
      return { written: await this.#patched({ id, object: sent }, live), left, taken: [] };
    }
    const ruled = { rules: rulesOf(id, fieldRules), isForced: this.#isForced(id) };
    if (ruled.rules.length === 0) return plainly(await this.#apply(object, ruled.isForced));
    return applyByRules(object, live, ruled, (sent, force) => this.#apply(withoutVersion(sent), force));
  }

  /** As client-side apply changes what is there. */
  async #patched(target: Target, live: KubernetesObject): Promise<KubernetesObject> {
    const { id, object } = target;
    const { cluster, forceReplace } = this.#options;
    if (forceReplace) {
      const { resourceVersion } = live.metadata;
      const put = { ...object, metadata: { ...object.metadata, resourceVersion } };
      return counted(await cluster.replace(put, this.#writeOptions), live);
    }
    const patch = threeWayPatch(this.#originalOf(target), object, live);
    return patch === undefined ? live : cluster.patch(id, 'merge', patch, this.#writeOptions);
  }

  #isForced(id: ResourceId): boolean {
    const { forceConflicts, takesOver } = this.#options;
    return forceConflicts === true || takesOver?.(id) === true;
  }

  #apply(object: KubernetesObject, force: boolean): Promise<KubernetesObject> {
    return this.#options.cluster.apply(object, { ...this.#writeOptions, force });
  }

  get #writeOptions() {
    const { signal, fieldValidation = 'Strict' } = this.#options;
    return { signal, fieldManager: 'helm', fieldValidation, dryRun: true } as const;
  }

  /** The same without the server: what it would default or refuse is not in it. */
  #merged(target: Target, live: KubernetesObject): KubernetesObject {
    const patch = threeWayPatch(this.#originalOf(target), target.object, live);
    return mergePatch(live as unknown as Json, (patch ?? {}) as Json) as unknown as KubernetesObject;
  }

  /** Why an object is written that stays as it is: the managers of its fields change, of those too that the chart lets go of. */
  #whyRewritten(target: Target, written: KubernetesObject): string {
    const pathsNotIn = (object: KubernetesObject, than: KubernetesObject): readonly string[] =>
      fieldDifferences(object, than).flatMap(({ path, after }) => (after === undefined ? [path] : []));
    const kept = new Set(pathsNotIn(written, target.object));
    const left = pathsNotIn(this.#originalOf(target), target.object).filter((path) => kept.has(path));
    const why = left.length === 0 ? '' : `: the chart no longer sets ${left.join(', ')}, which keeps its value`;
    return `only the managers of its fields change${why}`;
  }

  #originalOf({ id, object }: Target): KubernetesObject {
    return this.#options.originals?.get(objectKey(id)) ?? object;
  }
}

interface Answer extends FieldChoices {
  readonly written: KubernetesObject;
}

const plainly = (written: KubernetesObject): Answer => ({ written, left: [], taken: [] });

const hasChosen = (choices: FieldChoices): Pick<Preview, 'choices'> =>
  choices.left.length + choices.taken.length === 0 ? {} : { choices };

/** A dry run that starts from another version shows so in its answer, and is made again. */
function withoutVersion({ metadata, ...object }: KubernetesObject): KubernetesObject {
  const { resourceVersion: _version, ...rest } = metadata;
  return { ...object, metadata: rest } as KubernetesObject;
}

/** How often an object that others write all the time is read again, until a dry run starts from what was read. */
const mostReads = 5;

/** Whether somebody wrote the object between its reading and the dry run: the answer carries the version it began with. */
const isVersionConflict = (live: KubernetesObject, result: KubernetesObject): boolean =>
  live.metadata.resourceVersion !== result.metadata.resourceVersion;
