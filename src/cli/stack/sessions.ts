import { openLocks } from '../../release/lock/open-locks.ts';
import { openStorage } from '../../release/storage.ts';
import type { StackFile } from '../../stack/read-stack.ts';
import type { ReleaseSpec } from '../../stack/schema.ts';
import { systemClock } from '../../support/time.ts';
import type { CliContext, Session } from '../context.ts';
import { learningStorage } from '../learn-secrets.ts';
import type { Reporter } from '../progress/reporter.ts';
import type { GlobalFlags } from '../settings.ts';

/** What releases are worked on with: one connection for each cluster, one storage for each namespace of it. */
export class StackSessions {
  readonly #clusters = new Map<string, Promise<Session>>();
  readonly #namespaces = new Map<string, Promise<Session>>();
  readonly #flags: GlobalFlags;
  readonly #reporter: Reporter;
  readonly #context: CliContext;

  constructor(flags: GlobalFlags, reporter: Reporter, context: CliContext) {
    this.#flags = flags;
    this.#reporter = reporter;
    this.#context = context;
  }

  /** For the cluster and the namespace of a release. */
  of(release: ReleaseSpec, file: StackFile): Promise<Session> {
    return this.in(contextOf(release, file), release.namespace ?? '');
  }

  /** '' is the context, or the namespace, that the kubeconfig names. */
  in(kubeContext: string, namespace: string): Promise<Session> {
    const key = JSON.stringify([kubeContext, namespace]);
    const known = this.#namespaces.get(key) ?? this.#inNamespace(kubeContext, namespace);
    this.#namespaces.set(key, known);
    return known;
  }

  async #inNamespace(kubeContext: string, namespace: string): Promise<Session> {
    const base = await this.#cluster(kubeContext);
    if (namespace === '' || namespace === base.namespace) return base;
    const { io, secrets } = this.#context;
    const cluster = await base.cluster();
    const opened = openStorage(base.settings.driver, cluster, { namespace, clock: systemClock });
    const storage = Promise.resolve(learningStorage(opened, secrets));
    const locks = openLocks(opened.driver, cluster, { namespace, env: io.env });
    return { ...base, namespace, storage: () => storage, locks };
  }

  #cluster(kubeContext: string): Promise<Session> {
    const flags = kubeContext === '' ? this.#flags : { ...this.#flags, kubeContext };
    const known =
      this.#clusters.get(kubeContext) ?? this.#context.open(flags, { mayUndo: true, reporter: this.#reporter });
    this.#clusters.set(kubeContext, known);
    return known;
  }
}

/** The context of the kubeconfig that a release belongs to; '' is the current one. */
export function contextOf(release: ReleaseSpec, { spec, environment }: StackFile): string {
  const own = spec.environments?.get(environment.name)?.kubeContext;
  return release.kubeContext ?? own ?? spec.helmDefaults?.kubeContext ?? '';
}
