import { pathText } from '../manifest/field-path.ts';
import type { OutsideStep, Remedy } from '../problem/remedy.ts';

type WorkloadRemedy = Extract<Remedy, { kind: 'change-field' | 'create-object' | 'use-name' | 'outside' }>;

/** What to do about an object of the release or the cluster around it, in one line. */
export function workloadRemedyText(remedy: WorkloadRemedy): string {
  switch (remedy.kind) {
    case 'change-field':
      return remedy.value === undefined
        ? `${remedy.how ?? 'correct'} ${pathText(remedy.path)}`
        : `set ${pathText(remedy.path)} to ${remedy.value}`;
    case 'create-object': {
      const { object, keys = [], type } = remedy;
      const ofType = type === undefined ? '' : ` of type ${type}`;
      const having = keys.length === 0 ? '' : ` with the ${keys.length === 1 ? 'key' : 'keys'} ${keys.join(', ')}`;
      const where = object.namespace ? ` in namespace ${object.namespace}` : '';
      return `create ${object.kind}/${object.name}${ofType}${having}${where}, or name one that exists`;
    }
    case 'use-name': {
      const { name, instead, of } = remedy;
      const isThat = of === undefined || of.name === name;
      const meant = isThat ? (of === undefined ? name : `${of.kind}/${name}`) : `${name} of ${of.kind}/${of.name}`;
      return `use ${meant} instead of ${instead}`;
    }
    case 'outside':
      return outsideText(remedy.what, remedy.name);
    default:
      return remedy satisfies never;
  }
}

function outsideText(what: OutsideStep, name: string | undefined): string {
  switch (what) {
    case 'push-image':
      return `push ${name || 'the image'}`;
    case 'add-node':
      return `add a node with enough ${name}`;
    case 'raise-quota':
      return `raise ResourceQuota/${name}`;
    case 'install-crd':
      return `install the CRD of ${name}`;
    case 'create-storage-class':
      return `create StorageClass/${name}`;
    case 'read-log':
      return 'read the log of the program: it answers its probe with an error of its own';
    case 'fix-program':
      return 'let the program use less';
    case 'ask-for-rights':
      return `ask for the right to ${name}`;
    case 'check-registry':
      return `check the registry of ${name || 'the image'}`;
    case 'fix-dns':
      return `correct the name ${name}, or make it known to the cluster's DNS`;
    default:
      return what satisfies never;
  }
}
