import { canonicalJson, type JsonObject, objectAt, objectsIn, textOf } from '../../support/json.ts';
import { storageKey } from '../kinds/kind.ts';
import type { Pod } from '../kubernetes.ts';
import type { Resource } from '../resource.ts';
import type { ControllerContext } from './context.ts';
import { recordEvent } from './events.ts';
import { hasKey, type Reference } from './references.ts';

/**
 * What programs would have made, had they run: a Job of certgen its Secret, an operator what its custom resources name.
 * Which ConfigMaps and Secrets these are is not in the API; that a program may make some is. What a pod then needs and is
 * not there, the sandbox makes in their place.
 */
export class Programs {
  readonly #context: ControllerContext;
  /** `NAMESPACE/KIND` of what programs that ran were allowed to make. */
  readonly #made = new Set<string>();

  #hasScheduler = false;

  constructor(context: ControllerContext) {
    this.#context = context;
  }

  /** Whether a program that ran may give pods their nodes. */
  get hasScheduler(): boolean {
    return this.#hasScheduler;
  }

  /** A pod has come so far that its program has done its work. */
  noteRun(pod: Pod): void {
    for (const kind of ['ConfigMap', 'Secret'] as const) {
      const key = `${pod.metadata.namespace}/${kind}`;
      if (!this.#made.has(key) && this.#mayCreate(pod, `${kind.toLowerCase()}s`)) this.#made.add(key);
    }
    this.#hasScheduler ||= this.#mayCreate(pod, podBindings);
  }

  /** What a pod's reference names, made where a program may have made it. */
  find(pod: Pod, reference: Reference): Resource | undefined {
    const { namespace = '' } = pod.metadata;
    const { kind, name, key } = reference;
    const { store } = this.#context.environment;
    const stored = store.get(`/${kind.toLowerCase()}s`, namespace, name);
    if (stored !== undefined && (hasKey(stored, key) || stored.metadata.annotations?.[assumed] === undefined))
      return stored;
    if (stored === undefined && !this.#made.has(`${namespace}/${kind}`) && !this.#isNamedByOperator(namespace, name))
      return undefined;
    const data = { ...objectAt(stored, 'data'), ...(key !== undefined && { [key]: '' }) };
    const kindOf = this.#context.kind('v1', kind);
    if (stored !== undefined) return this.#context.change(kindOf, stored, { ...stored, data });
    const message = `the sandbox assumes that a program has made ${kind} ${name}`;
    recordEvent(this.#context, pod, { type: 'Normal', reason: 'AssumedMade', message, source: 'sandbox' });
    const annotations = { [assumed]: 'true' };
    const metadata = { name, annotations };
    return this.#context.create(kindOf, namespace, { apiVersion: 'v1', kind, metadata, data });
  }

  /** A custom resource of this name, or one that names it (`secretName`), has a program that makes it. */
  #isNamedByOperator(namespace: string, name: string): boolean {
    const { kinds, store } = this.#context.environment;
    return kinds
      .all()
      .filter((kind) => kind.custom !== undefined)
      .some((kind) =>
        [...store.values(storageKey(kind), namespace)].some(
          (object) => object.metadata.name === name || canonicalJson(object.spec).includes(JSON.stringify(name)),
        ),
      );
  }

  /** Whether the pod's account may create objects of a kind in its namespace. */
  #mayCreate({ metadata: { namespace }, spec }: Pod, plural: string): boolean {
    const { store } = this.#context.environment;
    const account = spec?.serviceAccountName ?? 'default';
    const isBound = (binding: Resource): boolean =>
      objectsIn(binding.subjects).some(
        (subject) =>
          subject.kind === 'ServiceAccount' &&
          subject.name === account &&
          (subject.namespace ?? binding.metadata.namespace) === namespace,
      );
    const bindings = [
      ...store.values('rbac.authorization.k8s.io/rolebindings', namespace),
      ...store.values('rbac.authorization.k8s.io/clusterrolebindings'),
    ].filter(isBound);
    return bindings.some((binding) => {
      const role = objectAt(binding, 'roleRef');
      const name = textOf(role?.name) ?? '';
      const found =
        role?.kind === 'Role'
          ? store.get('rbac.authorization.k8s.io/roles', namespace, name)
          : store.get('rbac.authorization.k8s.io/clusterroles', undefined, name);
      if (name === 'system:kube-scheduler' && plural === podBindings) return true;
      return name === 'cluster-admin' || objectsIn(found?.rules).some((rule) => allowsCreating(rule, plural));
    });
  }
}

const podBindings = 'pods/binding';

/** Marks what the sandbox made in the place of a program. */
const assumed = 'sandbox.tshelm.dev/assumed';

function allowsCreating({ apiGroups, resources, verbs }: JsonObject, plural: string): boolean {
  const has = (list: unknown, word: string): boolean =>
    Array.isArray(list) && (list.includes(word) || list.includes('*'));
  return has(apiGroups, '') && has(resources, plural) && has(verbs, 'create');
}
