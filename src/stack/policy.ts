import { invalid } from './reading.ts';

const priority: Readonly<Record<string, number>> = { bases: 0, environments: 0, releases: 1 };

/** helmfile's rules about the order of top-level keys: environments stand in a part of their own before the releases. */
export function checkTopKeys(file: string, text: string): void {
  const keys = topKeys(text);
  if (keys.every((key) => key === '---')) throw invalid(file, `no top-level config keys are found in ${file}`);
  const ordered = keys.filter((key) => key in priority);
  for (const [index, key] of ordered.entries()) {
    const before = ordered[index - 1];
    if (before !== undefined && (priority[before] as number) > (priority[key] as number)) {
      throw invalid(file, `top-level config key ${key} must be defined before ${before} in ${file}`);
    }
  }
  if (isMixed(keys)) {
    throw invalid(
      file,
      'environments and releases cannot be defined within the same YAML part. Use --- to extract the environments into a dedicated part',
    );
  }
}

function isMixed(keys: readonly string[]): boolean {
  const seen = new Set<string>();
  const kept = keys.filter((key) => {
    if (key === '---') return true;
    if ((key !== 'environments' && key !== 'releases') || seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.some((key, index) => index > 0 && key !== '---' && kept[index - 1] !== '---');
}

const topKeys = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const trimmed = line.trimEnd();
    if (/^--- *$/.test(trimmed)) return ['---'];
    const key = /^([a-zA-Z]+):/.exec(trimmed)?.[1];
    return key === undefined ? [] : [key];
  });
