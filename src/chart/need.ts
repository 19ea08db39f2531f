/** Something outside of a release that objects of it wait for (docs/ordering.md, 11). */
export type OutsideNeed =
  | {
      readonly kind: 'object';
      readonly text: string;
      readonly objectKind: string;
      readonly group?: string | undefined;
      /** As it is written: with the namespace behind the last dot, if the kind has namespaces. */
      readonly name: string;
    }
  | {
      readonly kind: 'release';
      readonly text: string;
      readonly name: string;
      /** Default: the one of the release that needs it. */
      readonly namespace?: string | undefined;
    }
  | { readonly kind: 'url'; readonly text: string };

export const needForms =
  'Kind/name, Kind/name.namespace, Kind.group/name, crd/name, release/name@namespace or a URL; names have lowercase letters, digits, "-" and "."';

/** What a text such as `Deployment/postgres.db` names; undefined where it is none of the forms. */
export function readNeed(text: string): OutsideNeed | undefined {
  if (text.includes('://')) return isWebUrl(text) ? { kind: 'url', text } : undefined;
  const release = releaseForm.exec(text)?.groups;
  if (release !== undefined)
    return { kind: 'release', text, name: release['name'] ?? '', namespace: release['namespace'] };
  const { kind = '', group, name = '' } = objectForm.exec(text)?.groups ?? {};
  if (!hasFreeNames.has(kind) && !subdomain.test(name)) return undefined;
  if (kind === 'crd' && group === undefined)
    return { kind: 'object', text, objectKind: 'CustomResourceDefinition', group: 'apiextensions.k8s.io', name };
  return /^[A-Z]/.test(kind) ? { kind: 'object', text, objectKind: kind, group, name } : undefined;
}

const releaseForm = /^release\/(?<name>[a-z0-9]([a-z0-9.-]*[a-z0-9])?)(@(?<namespace>[a-z0-9]([a-z0-9-]*[a-z0-9])?))?$/;
const objectForm = /^(?<kind>[A-Za-z]\w*)(\.(?<group>[a-z0-9.-]+))?\/(?<name>[\w:-]([\w.:-]*[\w:-])?)$/;

/** Kubernetes takes nearly any text for the names of these, such as `system:node`; for others a DNS name. */
const hasFreeNames = new Set(['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding']);
const subdomain = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** Credentials in a URL would be recorded, and shown. */
function isWebUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === 'http:' || protocol === 'https:') && username === '' && password === '';
}
