import type { Chart } from '../../chart/types.ts';
import { Findings, failureText, type LintMessage } from './message.ts';
import type { LintSubject } from './subject.ts';

/** Chart.yaml and charts/ speak of the same subcharts. Go: rules.Dependencies. */
export async function dependenciesRule({ chart, directory }: LintSubject): Promise<readonly LintMessage[]> {
  const found = new Findings();
  const loaded = await found.tried('', chart, (cause) => `unable to load chart\n\t${failureText(cause)}`);
  if (loaded === undefined) return found.messages;
  found.error(directory, missing('chart metadata', presentNames(loaded), listedNames(loaded)));
  found.warning(directory, missing('chart directory', listedNames(loaded), presentNames(loaded)));
  return found.messages;
}

const presentNames = ({ dependencies }: Chart): string[] => dependencies.map(({ metadata }) => metadata.name);
const listedNames = ({ metadata }: Chart): string[] => (metadata.dependencies ?? []).map(({ name }) => name);

function missing(where: string, wanted: readonly string[], present: readonly string[]): string | undefined {
  const names = wanted.filter((name) => !present.includes(name));
  return names.length === 0 ? undefined : `${where} is missing these dependencies: ${names.join(',')}`;
}
