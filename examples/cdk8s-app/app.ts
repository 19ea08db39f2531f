// A chart inside an app that is made of constructs, as in cdk8s: constructors cannot wait, so the chart is rendered at once.
import { join } from 'node:path';
import type { V1Deployment } from '@kubernetes/client-node';
import { type KubernetesObject, ofKind, Tshelm, type Values } from 'tshelm';

const tshelm = new Tshelm();

interface HelmReleaseProps {
  readonly chart: string;
  readonly namespace?: string;
  readonly values?: Values;
}

/** What cdk8s calls a construct: a part of the app that makes objects. */
class HelmRelease {
  readonly objects: readonly KubernetesObject[];

  constructor(name: string, { chart, ...options }: HelmReleaseProps) {
    const { crds, objects } = tshelm.renderSync(chart, { name, ...options });
    this.objects = [...crds, ...objects];
  }

  /** The Deployment of the chart, to be changed before the app is written. */
  get deployment(): V1Deployment {
    const found = this.objects.find(ofKind<V1Deployment>('apps/v1', 'Deployment'));
    if (found === undefined) throw new Error('the chart renders no Deployment');
    return found;
  }
}

/** The whole app, as the objects that it is made of. */
export function synthesize(): KubernetesObject[] {
  const chart = join(import.meta.dirname, '../chart');
  const shop = new HelmRelease('shop', { chart, namespace: 'prod', values: { replicas: 3 } });
  const office = new HelmRelease('office', { chart, namespace: 'prod', values: { greeting: 'good morning' } });
  shop.deployment.metadata = { ...shop.deployment.metadata, labels: { team: 'checkout' } };
  return [...shop.objects, ...office.objects];
}
