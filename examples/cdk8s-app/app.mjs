// A chart inside an app that is made of constructs, as in cdk8s: constructors cannot wait, so the chart is rendered at once.
import { join } from 'node:path';
import { Tshelm } from 'tshelm';

const tshelm = new Tshelm();

/** What cdk8s calls a construct: a part of the app that makes objects. */
class HelmRelease {
  /** @type {import('tshelm').KubernetesObject[]} */
  objects;

  /** @param {string} name @param {{ chart: string, namespace?: string, values?: import('tshelm').Values }} props */
  constructor(name, { chart, namespace, values }) {
    const rendered = tshelm.renderSync(chart, { name, namespace, values });
    this.objects = [...rendered.crds, ...rendered.objects];
  }

  /** The object of this kind, to be changed before the app is written. */
  find(kind) {
    const found = this.objects.find((object) => object.kind === kind);
    if (found === undefined) throw new Error(`the chart renders no ${kind}`);
    return found;
  }
}

/** The whole app, as the objects that it is made of. */
export function synthesize() {
  const chart = join(import.meta.dirname, '../chart');
  const shop = new HelmRelease('shop', { chart, namespace: 'prod', values: { replicas: 3 } });
  const office = new HelmRelease('office', { chart, namespace: 'prod', values: { greeting: 'good morning' } });
  shop.find('Deployment').metadata.labels = { team: 'checkout' };
  return [...shop.objects, ...office.objects];
}
