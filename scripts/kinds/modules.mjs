import { execFileSync } from 'node:child_process';

/** The releases of Kubernetes whose kinds are known, by minor version. */
export const releases = { 33: '1.33.13', 34: '1.34.4', 35: '1.35.4', 36: '1.36.3', 37: '1.37.2' };

export const minors = Object.keys(releases).map(Number);

/** The version that the end-to-end tests run and the sandbox serves by default. */
export const defaultMinor = 36;

/** The folder of a Go module, downloaded if necessary. */
export function moduleFolder(module, version) {
  const printed = execFileSync('go', ['mod', 'download', '-json', `${module}@v${version}`], { encoding: 'utf8' });
  return JSON.parse(printed).Dir;
}

export const kubernetesFolder = (minor) => moduleFolder('k8s.io/kubernetes', releases[minor]);

/** `apps/v1`, or `v1` in the core group. */
export const apiVersionOf = (group, version) => (group === '' ? version : `${group}/${version}`);

/**
 * A text for each minor version, as one: `s` where all have it, `s@34` since 1.34, `s@-36` until 1.36, `s@34-36` between,
 * with a space between the alternatives.
 */
export function merged(textOf) {
  const ranges = [];
  for (const minor of minors) {
    const text = textOf(minor);
    const last = ranges.at(-1);
    if (text !== undefined && last?.text === text && last.to === minor - 1) last.to = minor;
    else if (text !== undefined) ranges.push({ text, from: minor, to: minor });
  }
  return ranges.map(rangeText).join(' ');
}

function rangeText({ text, from, to }) {
  const isFirst = from === minors[0];
  const isLast = to === minors.at(-1);
  if (isFirst && isLast) return text;
  if (isLast) return `${text}@${from}`;
  return `${text}@${isFirst ? '' : from}-${to}`;
}
