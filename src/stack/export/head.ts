import { tshelmVersion } from '../../support/version.ts';
import { type ExportRequest, serviceAccount, variablesSecret } from './engines.ts';
import type { Supplies } from './supplies.ts';

export type Engine = 'gitlab-ci' | 'github-actions' | 'argo-workflows';

/** How each engine is given the access to the cluster, and the variables; and what it has to have. */
const means: Readonly<
  Record<Engine, { readonly cluster: string; readonly variables: string; readonly others: string }>
> = {
  'gitlab-ci': {
    cluster: 'KUBECONFIG: a protected CI/CD variable of type File, so that only protected branches can read it',
    variables: 'CI/CD variables',
    others:
      'this file, saved as .gitlab-ci.yml: its first job starts the other jobs as a child pipeline from the same file',
  },
  'github-actions': {
    cluster: 'KUBECONFIG: a secret of the environment that contains the kubeconfig file',
    variables: 'secrets or variables of the environment',
    others: 'the environment, restricted to the default branch',
  },
  'argo-workflows': {
    cluster: `the service account ${serviceAccount}, with the rights to deploy (or an image with a kubeconfig)`,
    variables: `keys of the Secret ${variablesSecret}`,
    others: 'the workflow parameters: repository, and revision (the commit that all pods clone)',
  },
};

/** The comment at the top of a file: what it is, and what has to be supplied. */
export function headText(
  to: Engine,
  { isUntrusted }: ExportRequest,
  { variables, programs, contexts }: Supplies,
): string {
  const { cluster, variables: asWhat, others } = means[to];
  const lines = [
    `Written by tshelm ${tshelmVersion} (tshelm stack export --to ${to}). Jobs install this version, because a plan made by another version is refused.`,
    'Set these up first:',
    `- ${cluster}`,
    ...(contexts.length === 0 ? [] : [`- its contexts: ${contexts.join(', ')}`]),
    ...(variables.length === 0 ? [] : [`- ${asWhat}: ${variables.join(', ')}`]),
    ...(programs.length === 0 ? [] : [`- programs in the image of the jobs: ${programs.join(', ')}`]),
    `- ${others}`,
    isUntrusted
      ? 'Jobs refuse state files that run programs or read outside of the repository (TSHELM_UNTRUSTED); export with --untrusted=false to allow it.'
      : 'Jobs run the programs that the state files name: anyone who can merge can run programs with the permissions of these jobs.',
  ];
  return `${lines.map((line) => `# ${line}\n`).join('')}\n`;
}
