import { apiVersionOf, type Kind } from '../../kinds/kind.ts';
import type { Resource } from '../../resource.ts';

/** A write that policies judge, as the API server's admission sees it. */
export interface AdmissionRequest {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly kind: Kind;
  /** '' for the object itself. */
  readonly subresource: string;
  /** What is to be stored; undefined of a deletion. */
  readonly object: Resource | undefined;
  /** What is stored; undefined of a creation. */
  readonly oldObject: Resource | undefined;
  readonly user: string;
  readonly dryRun: boolean;
}

export const subjectOf = ({ object, oldObject }: AdmissionRequest): Resource => (object ?? oldObject) as Resource;

/** A Namespace is in itself. */
export function namespaceOf(request: AdmissionRequest): string | undefined {
  const { name, namespace } = subjectOf(request).metadata;
  return isNamespace(request.kind) ? name : namespace;
}

export const isNamespace = ({ group, kind }: Kind): boolean => group === '' && kind === 'Namespace';

/** `request` in expressions (admission/v1's AdmissionRequest), with the version that the policy asked for. */
export function requestFields(request: AdmissionRequest, version: string): object {
  const { operation, kind: own, subresource, user, dryRun } = request;
  const kind = { group: own.group, version, kind: own.kind };
  const resource = { group: own.group, version, resource: own.plural };
  const groups = user.startsWith('system:') ? ['system:authenticated'] : ['system:masters', 'system:authenticated'];
  const verb = { CREATE: 'Create', UPDATE: 'Update', DELETE: 'Delete' }[operation];
  return {
    uid: '',
    kind,
    resource,
    ...(subresource !== '' && { subResource: subresource, requestSubResource: subresource }),
    requestKind: { ...kind, version: own.version },
    requestResource: { ...resource, version: own.version },
    name: subjectOf(request).metadata.name,
    namespace: namespaceOf(request),
    operation,
    userInfo: { username: user, groups },
    dryRun,
    options: { apiVersion: 'meta.k8s.io/v1', kind: `${verb}Options` },
  };
}

/** The object at another version of its kind: conversion changes no more than the apiVersion. */
export const converted = (kind: Kind, version: string, object: Resource | undefined): Resource | undefined =>
  object && { ...object, apiVersion: apiVersionOf({ group: kind.group, version }) };
