import type { StackFile } from '../read-stack.ts';
import type { ReleaseSpec } from '../schema.ts';
import type { StackSession } from './session.ts';
import type { StackTools } from './tools.ts';

type Opening = Pick<StackTools, 'open'>;

/** What releases are worked on with: one connection for each cluster, one storage for each namespace of it. */
export class StackSessions {
  readonly #clusters = new Map<string, Promise<StackSession>>();
  readonly #namespaces = new Map<string, Promise<StackSession>>();
  readonly #tools: Opening;

  constructor(tools: Opening) {
    this.#tools = tools;
  }

  /** For the cluster and the namespace of a release. */
  of(release: ReleaseSpec, file: StackFile): Promise<StackSession> {
    return this.in(contextOf(release, file), release.namespace ?? '');
  }

  /** '' is the context, or the namespace, that the kubeconfig names. */
  in(kubeContext: string, namespace: string): Promise<StackSession> {
    const key = JSON.stringify([kubeContext, namespace]);
    const known = this.#namespaces.get(key) ?? this.#inNamespace(kubeContext, namespace);
    this.#namespaces.set(key, known);
    return known;
  }

  /** Has the releases of a namespace worked on with something else: with records as they will be. */
  use(kubeContext: string, namespace: string, session: StackSession): void {
    this.#namespaces.set(JSON.stringify([kubeContext, namespace]), Promise.resolve(session));
  }

  async #inNamespace(kubeContext: string, namespace: string): Promise<StackSession> {
    const base = await this.#cluster(kubeContext);
    return namespace === '' || namespace === base.namespace ? base : { ...base, ...base.inNamespace(namespace) };
  }

  #cluster(kubeContext: string): Promise<StackSession> {
    const known = this.#clusters.get(kubeContext) ?? this.#tools.open(kubeContext);
    this.#clusters.set(kubeContext, known);
    return known;
  }
}

/** The context of the kubeconfig that a release belongs to; '' is the current one. */
export function contextOf(release: ReleaseSpec, { spec, environment }: StackFile): string {
  const own = spec.environments?.get(environment.name)?.kubeContext;
  return release.kubeContext ?? own ?? spec.helmDefaults?.kubeContext ?? '';
}
