import { type JsonObject, objectAt, textOf } from '../support/json.ts';
import type { Kind } from './kinds/kind.ts';
import { StatusError } from './status.ts';

/** What a user may not do, for tests of RBAC. `*` stands for any; without a namespace, everywhere. */
export interface DenyRule {
  readonly verb: string;
  /** The plural; `secrets`, `pods/log`. */
  readonly resource: string;
  readonly group?: string;
  readonly namespace?: string;
}

/** Who asks for what. */
export interface Attributes {
  readonly user: string;
  readonly verb: string;
  readonly group: string;
  /** With its subresource: `pods/log`. */
  readonly resource: string;
  readonly namespace: string | undefined;
  readonly name: string;
}

export class Access {
  readonly user: string;
  readonly #deny: readonly DenyRule[];

  constructor(user: string, deny: readonly DenyRule[]) {
    this.user = user;
    this.#deny = deny;
  }

  allows({ verb, group, resource, namespace }: Attributes): boolean {
    return !this.#deny.some(
      (rule) =>
        (rule.verb === '*' || rule.verb === verb) &&
        (rule.resource === '*' || rule.resource === resource) &&
        (rule.group === undefined || rule.group === '*' || rule.group === group) &&
        (rule.namespace === undefined || rule.namespace === '*' || rule.namespace === namespace),
    );
  }

  /** Refuses what is denied, in the sentence of the RBAC authorizer. */
  check(kind: Kind, attributes: Attributes): void {
    if (this.allows(attributes)) return;
    const { user, verb, group, resource, namespace, name } = attributes;
    const qualified = group === '' ? kind.plural : `${kind.plural}.${group}`;
    const subject = name === '' ? qualified : `${qualified} "${name}"`;
    const scope =
      namespace === undefined || namespace === '' ? 'at the cluster scope' : `in the namespace "${namespace}"`;
    const message = `${subject} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${group}" ${scope}`;
    throw new StatusError(403, 'Forbidden', message, {
      ...(name === '' ? {} : { name }),
      ...(group === '' ? {} : { group }),
      kind: kind.plural,
    });
  }

  /** The answer of a (Self)SubjectAccessReview. */
  review(body: JsonObject, user: string): JsonObject {
    const wanted = objectAt(body, 'spec', 'resourceAttributes') ?? {};
    const subresource = textOf(wanted.subresource) ?? '';
    const resource = textOf(wanted.resource) ?? '';
    const allowed = this.allows({
      user: textOf(objectAt(body, 'spec')?.user) ?? user,
      verb: textOf(wanted.verb) ?? '',
      group: textOf(wanted.group) ?? '',
      resource: subresource === '' ? resource : `${resource}/${subresource}`,
      namespace: textOf(wanted.namespace),
      name: textOf(wanted.name) ?? '',
    });
    return {
      ...body,
      status: allowed ? { allowed, reason: 'the sandbox allows everything that is not denied' } : { allowed },
    };
  }
}
