import { GoStruct } from '../go/struct.ts';
import { type GoFunction, type GoList, type NamedType, type Value, withNamedType } from '../go/value.ts';
import { goFunction } from '../template/function.ts';
import { constraintVersion, type KubeVersion } from './kube-version.ts';

/** What `.Capabilities` tells a chart about the cluster and the program. */
export interface Capabilities {
  readonly kubeVersion: KubeVersion;
  /** Group/version, and group/version/Kind where they come from a cluster. */
  readonly apiVersions: readonly string[];
}

/** What Helm v4.3.1 says of itself; tshelm says the same, because charts ask for features by it. */
const helmVersion = { version: 'v4.3', goVersion: 'go1.26.8', kubeClientVersion: 'v1.37' };

/** What a chart sees without a cluster: the Kubernetes that Helm v4.3.1 was built with, and every API it knows. */
export const defaultCapabilities: Capabilities = {
  kubeVersion: { version: 'v1.37.0', normalized: 'v1.37.0', major: '1', minor: '37' },
  apiVersions: [
    'v1',
    'admissionregistration.k8s.io/v1',
    'admissionregistration.k8s.io/v1alpha1',
    'admissionregistration.k8s.io/v1beta1',
    'internal.apiserver.k8s.io/v1alpha1',
    'apps/v1',
    'apps/v1beta1',
    'apps/v1beta2',
    'authentication.k8s.io/v1',
    'authentication.k8s.io/v1alpha1',
    'authentication.k8s.io/v1beta1',
    'authorization.k8s.io/v1',
    'authorization.k8s.io/v1beta1',
    'autoscaling/v1',
    'autoscaling/v2',
    'batch/v1',
    'batch/v1beta1',
    'certificates.k8s.io/v1',
    'certificates.k8s.io/v1beta1',
    'certificates.k8s.io/v1alpha1',
    'coordination.k8s.io/v1alpha2',
    'coordination.k8s.io/v1beta1',
    'coordination.k8s.io/v1',
    'discovery.k8s.io/v1',
    'discovery.k8s.io/v1beta1',
    'events.k8s.io/v1',
    'events.k8s.io/v1beta1',
    'extensions/v1beta1',
    'flowcontrol.apiserver.k8s.io/v1',
    'flowcontrol.apiserver.k8s.io/v1beta1',
    'flowcontrol.apiserver.k8s.io/v1beta2',
    'flowcontrol.apiserver.k8s.io/v1beta3',
    'lifecycle.k8s.io/v1alpha1',
    'networking.k8s.io/v1',
    'networking.k8s.io/v1beta1',
    'node.k8s.io/v1',
    'node.k8s.io/v1alpha1',
    'node.k8s.io/v1beta1',
    'policy/v1',
    'policy/v1beta1',
    'rbac.authorization.k8s.io/v1',
    'rbac.authorization.k8s.io/v1beta1',
    'rbac.authorization.k8s.io/v1alpha1',
    'resource.k8s.io/v1',
    'resource.k8s.io/v1beta2',
    'resource.k8s.io/v1beta1',
    'resource.k8s.io/v1alpha3',
    'scheduling.k8s.io/v1alpha3',
    'scheduling.k8s.io/v1beta1',
    'scheduling.k8s.io/v1',
    'storage.k8s.io/v1beta1',
    'storage.k8s.io/v1',
    'storage.k8s.io/v1alpha1',
    'storagemigration.k8s.io/v1',
    'storagemigration.k8s.io/v1beta1',
    'apiextensions.k8s.io/v1beta1',
    'apiextensions.k8s.io/v1',
  ],
};

/** Go's *common.Capabilities. */
export class CapabilitiesObject extends GoStruct {
  override readonly goKind = 'ptr';
  readonly #capabilities: Capabilities;

  constructor(capabilities: Capabilities) {
    super('*common.Capabilities', [
      ['KubeVersion', new KubeVersionObject(capabilities.kubeVersion)],
      ['APIVersions', versionSet(capabilities.apiVersions)],
      ['HelmVersion', new HelmVersionObject()],
    ]);
    this.#capabilities = capabilities;
  }

  override method(name: string): GoFunction | undefined {
    if (name !== 'Copy') return undefined;
    return goFunction('func() *common.Capabilities', () => new CapabilitiesObject(this.#capabilities));
  }

  /** What copystructure makes of it. */
  copiedByField(): CapabilitiesObject {
    return new CapabilitiesObject({
      ...this.#capabilities,
      kubeVersion: copiedVersion(this.#capabilities.kubeVersion),
    });
  }
}

/** What copystructure copies: not the field that is not exported. */
const copiedVersion = (version: KubeVersion): KubeVersion => ({ ...version, normalized: '' });

/**
 * Go's common.KubeVersion. Reached through the pointer to the capabilities, it has the methods of its own pointer, and
 * a template prints its String(); a copy of it is a plain struct.
 */
class KubeVersionObject extends GoStruct {
  readonly #version: KubeVersion;
  readonly #isAddressable: boolean;

  constructor(version: KubeVersion, isAddressable = true) {
    super('common.KubeVersion', [
      ['Version', version.version],
      ['Major', version.major],
      ['Minor', version.minor],
    ]);
    this.#version = version;
    this.#isAddressable = isAddressable;
  }

  override passed(): KubeVersionObject {
    return this.#isAddressable ? new KubeVersionObject(this.#version, false) : this;
  }

  copiedByField(): KubeVersionObject {
    return new KubeVersionObject(copiedVersion(this.#version), false);
  }

  override method(name: string): GoFunction | undefined {
    if (!this.#isAddressable) return undefined;
    if (name === 'String') return goFunction('func() string', () => constraintVersion(this.#version));
    if (name === 'GitVersion') return goFunction('func() string', () => this.#version.version);
    return undefined;
  }

  /** With the unexported one, as `%v` prints it. */
  override fields(): readonly (readonly [string, Value])[] {
    const { version, normalized, major, minor } = this.#version;
    return [
      ['Version', version],
      ['normalizedVersion', normalized],
      ['Major', major],
      ['Minor', minor],
    ];
  }

  override exportedFields(): readonly (readonly [string, Value])[] {
    return super.fields();
  }

  override pointerStringer(): string | undefined {
    return this.#isAddressable ? constraintVersion(this.#version) : undefined;
  }
}

/** Go's version.BuildInfo. */
class HelmVersionObject extends GoStruct {
  constructor() {
    super('version.BuildInfo', [
      ['Version', helmVersion.version],
      ['GitCommit', ''],
      ['GitTreeState', ''],
      ['GoVersion', helmVersion.goVersion],
      ['KubeClientVersion', helmVersion.kubeClientVersion],
    ]);
  }

  override encoded(): Value {
    return new Map([
      ['version', helmVersion.version],
      ['go_version', helmVersion.goVersion],
      ['kube_client_version', helmVersion.kubeClientVersion],
    ]);
  }
}

const versionSet = (apiVersions: readonly string[]): GoList => withNamedType([...apiVersions], versionSetType);

/** Go's common.VersionSet: a list of text with `Has`. */
const versionSetType: NamedType = {
  name: 'common.VersionSet',
  underlying: '[]string',
  method: (set, name) =>
    name === 'Has'
      ? goFunction('func(string) bool', (apiVersion: string) => (set as GoList).includes(apiVersion))
      : undefined,
};
