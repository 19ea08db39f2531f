import { type Kind, storageKey } from '../../kinds/kind.ts';
import { forbidden, type KindName, StatusError } from '../../status.ts';
import type { Environment } from '../environment.ts';
import type { Decision, PolicyContext } from './policies.ts';
import { type AdmissionRequest, namespaceOf, subjectOf } from './request.ts';

/** A write, before who asks for it is known. */
type Write = Pick<AdmissionRequest, 'operation' | 'kind' | 'object' | 'oldObject'>;

/** How the write was asked for; by default by a controller. */
interface AdmissionOptions {
  readonly user?: string | undefined;
  readonly dryRun?: boolean | undefined;
  readonly subresource?: string | undefined;
  readonly warn?: ((text: string) => void) | undefined;
}

/** Refuses what a ValidatingAdmissionPolicy denies; what one only warns of is reported. */
export function admitByPolicies(
  environment: Environment,
  write: Write,
  { user = 'system:kube-controller-manager', dryRun = false, subresource = '', warn }: AdmissionOptions,
): void {
  const { policies } = environment.expressions.loaded ?? {};
  if (
    policies === undefined ||
    environment.enforcesPolicies === false ||
    isExempt(write.kind) ||
    (subresource !== '' && subresource !== 'status')
  )
    return;
  const request: AdmissionRequest = { ...write, subresource, user, dryRun };
  const decisions = policies.decide(request, contextOf(environment, request));
  for (const { verdict, message } of decisions) if (verdict !== 'denied') warn?.(message);
  const denied = decisions.find(({ verdict }) => verdict === 'denied');
  if (denied !== undefined) throw refusal(write.kind, subjectOf(request).metadata.name, denied);
}

/** What all policies say of a new object, or of the new content of an old one, whether they are enforced or not. */
export function decisionsOf(environment: Environment, write: Write, user: string): readonly Decision[] {
  const { policies } = environment.expressions.loaded ?? {};
  if (policies === undefined || isExempt(write.kind)) return [];
  const request: AdmissionRequest = { ...write, subresource: '', user, dryRun: false };
  return policies.decide(request, contextOf(environment, request));
}

/** What could lock everyone out (rules.IsExemptAdmissionConfigurationResource). */
const isExempt = ({ group }: Kind): boolean => group === 'admissionregistration.k8s.io';

function contextOf({ store, kinds }: Environment, request: AdmissionRequest): PolicyContext {
  const served = (kind: Kind): Kind[] => kinds.all().filter((one) => storageKey(one) === storageKey(kind));
  const { object } = request;
  const isNamespace = object?.kind === 'Namespace' && object.apiVersion === 'v1';
  return {
    policies: store.list(`${group}/validatingadmissionpolicies`),
    bindings: store.list(`${group}/validatingadmissionpolicybindings`),
    namespace: isNamespace ? object : store.get('/namespaces', undefined, namespaceOf(request) ?? ''),
    versions: served(request.kind).map(({ version }) => version),
    paramsOf(apiVersion, kindName) {
      const kind = kinds.of(apiVersion, kindName);
      return kind && { namespaced: kind.namespaced, objects: store.list(storageKey(kind)) };
    },
  };
}

const group = 'admissionregistration.k8s.io';

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function refusal(kind: KindName, name: string, { message, reason }: Decision): StatusError {
  const { message: text, details } = forbidden(kind, name, message);
  return new StatusError(codes[reason] ?? 422, reason, text, { ...details, causes: [{ message }] });
}
