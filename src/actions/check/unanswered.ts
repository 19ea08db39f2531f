import { lacksNamespace } from '../../cluster/api-error.ts';
import type { ApiFailure } from '../../cluster/types.ts';
import type { Target } from '../../execute/apply/targets.ts';
import { lacksDryRun, lacksRight } from '../../problem/foreign/api-status.ts';
import { type Problem, problemOf } from '../../problem/problem.ts';
import { Quote } from '../../problem/quote.ts';

type Request = 'read' | 'dry-run';

/** What a cluster did not answer, so that what is known here was said instead. */
export class Unanswered {
  readonly #kinds = new Map<
    string,
    { readonly request: Request; readonly words: string; readonly kinds: Set<string> }
  >();
  readonly #missing = new Set<string>();

  add(request: Request, kind: string, { status, reason, message }: ApiFailure): void {
    const key = `${request} ${status} ${reason}`;
    const known = this.#kinds.get(key) ?? { request, words: message, kinds: new Set() };
    this.#kinds.set(key, known);
    known.kinds.add(kind);
  }

  /** A dry run that says nothing about the object; what the release brings before it is nothing to tell. */
  addAnswer({ id }: Target, failure: ApiFailure): void {
    const isUnasked = lacksRight(failure) || lacksDryRun(failure) || failure.status === 429 || failure.status >= 500;
    if (lacksNamespace(failure)) this.addMissing(id.namespace);
    else if (isUnasked) this.add('dry-run', id.kind, failure);
  }

  addMissing(namespace: string): void {
    this.#missing.add(namespace);
  }

  /** Whether the cluster does not have the namespace. */
  lacks(namespace: string): boolean {
    return this.#missing.has(namespace);
  }

  /** A note for each reason, with the first of the cluster's sentences. `release`: the objects, namespaces too. */
  problems(release: readonly Target[]): readonly Problem[] {
    const subject = { kind: 'cluster' } as const;
    const own = new Set(release.filter(({ id }) => id.kind === 'Namespace').map(({ id }) => id.name));
    const missing = [...this.#missing].filter((name) => !own.has(name));
    return [
      ...missing.map((name) => problemOf({ subject, cause: { code: 'namespace-missing', name } as const })),
      ...[...this.#kinds.values()].map(({ request, words, kinds }) =>
        problemOf({
          subject,
          cause: { code: 'cluster-silent', request, kinds: [...kinds].sort(), words: new Quote(words) } as const,
        }),
      ),
    ];
  }
}
