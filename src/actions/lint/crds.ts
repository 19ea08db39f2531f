import { crdFiles } from '../../chart/paths.ts';
import { readObjects } from './documents.ts';
import { folderProblem } from './folder.ts';
import { Findings, type LintMessage } from './message.ts';
import { type ObjectHead, objectHeadType } from './object-head.ts';
import type { LintSubject } from './subject.ts';

const folder = 'crds/';

/** What is in crds/ is CustomResourceDefinitions, in YAML without templating. Go: rules.Crds. */
export async function crdsRule({ directory, chart }: LintSubject): Promise<readonly LintMessage[]> {
  const found = new Findings();
  const isThere = await folderProblem(`${directory}/crds`);
  if (isThere === 'absent' || !found.error(folder, isThere)) return found.messages;
  const loaded = await found.tried(folder, chart);
  if (loaded === undefined) return found.messages;
  for (const { name, data } of crdFiles(loaded)) {
    const { objects, problem } = readObjects<ObjectHead>(data, objectHeadType);
    for (const object of objects) checkCrd(name, object, found);
    if (!found.error(name, problem && `unable to parse YAML: ${problem}`)) break;
  }
  return found.messages;
}

function checkCrd(name: string, { apiVersion = '', kind = '' }: ObjectHead, found: Findings): void {
  const isCrdGroup = apiVersion.startsWith('apiextensions.k8s.io');
  found.error(name, isCrdGroup ? undefined : "apiVersion is not in 'apiextensions.k8s.io'");
  found.error(name, kind === 'CustomResourceDefinition' ? undefined : "object kind is not 'CustomResourceDefinition'");
}
