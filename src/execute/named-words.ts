import { type FieldPath, valueAtPath } from '../manifest/field-path.ts';
import { textOr } from '../manifest/fields.ts';
import type { KubernetesObject } from '../manifest/types.ts';
import { leavesOf, type ObjectField } from './faulty-fields.ts';
import { unknownHosts } from './near-names.ts';
import type { PlanObject } from './plan-objects.ts';

/** A shorter one counts where it stands in one field of the object that was waited for. */
const leastLength = 4;
/** A word that stands in more fields is a common one. */
const maxPlaces = 3;

/**
 * Where the release writes the words that a program's log complains of: a host that is not known, a text in quotes, a flag
 * that the program does not have. Only words that stand in few fields, those of the object that was waited for and of
 * ConfigMaps and Secrets before others'; of a field with several of them the one that is no flag's name.
 */
export function namedWords(log: readonly string[], telling: string, one: PlanObject, objects: readonly PlanObject[]) {
  const quoted = [...telling.matchAll(/["'`«]([\w.:/@-]+)["'`»]/g)].map(([, word = '']) => word);
  const names = [...unknownHosts(log), ...quoted, ...refusedFlags(telling)].filter((word) => /[a-z]/i.test(word));
  const words = [...new Set([...refusedPorts(telling), ...names])];
  const found = words.flatMap((word): readonly ObjectField[] => {
    const places = objects.flatMap((object) =>
      readPaths(object.object)
        .filter((path) => saysWord(object.object, path, word))
        .map((path) => ({ object, path, word })),
    );
    const own = places.filter(({ object }) => object.object === one.object);
    if (word.length < leastLength && !/^\d+$/.test(word)) return own.length === 1 ? own : [];
    const nearest = own.length > 0 ? own : places;
    return nearest.length > maxPlaces ? [] : nearest;
  });
  const likely = found.toSorted((a, b) => Number(isFlag(a)) - Number(isFlag(b)));
  return likely.filter((field, index) => likely.findIndex((other) => isSameField(field, other)) === index);
}

const isFlag = ({ word = '' }: ObjectField): boolean => word.startsWith('-');

const isSameField = (a: ObjectField, b: ObjectField): boolean =>
  a.object === b.object && a.path.join('\0') === b.path.join('\0');

/** Without dashes: Go's flag package prints one of two. In the words of Go, cobra, getopt, argparse and clap. */
const refusedFlags = (telling: string): readonly string[] =>
  [
    ...telling.matchAll(
      /\b(?:unknown|unrecogni[sz]ed|unsupported|undefined|unexpected|invalid|not defined)\b[^-]{0,40}(?<![\w-])--?([a-z][\w.-]*)/gi,
    ),
  ].map(([, name = '']) => name);

/** That a program may not listen on, or that another one has. */
const refusedPorts = (telling: string): readonly string[] =>
  [
    ...telling.matchAll(
      /\b(?:listen|bind)\b[^\n]*?:(\d{1,5})\b[^\n]*?(?:permission denied|address already in use|EACCES|EADDRINUSE)/gi,
    ),
  ].map(([, port = '']) => port);

/** What programs read of an object: the data of ConfigMaps and Secrets, what containers are started with. */
function readPaths(object: KubernetesObject): readonly FieldPath[] {
  if (/^(?:ConfigMap|Secret)$/.test(object.kind))
    return ['data', 'stringData'].flatMap((field) => leavesOf(object, [field]));
  return leavesOf(object, ['spec']).filter((path) =>
    path.some((part) => ['value', 'args', 'command', 'containerPort'].includes(String(part))),
  );
}

function saysWord(object: KubernetesObject, path: FieldPath, word: string): boolean {
  const found = valueAtPath(object, path);
  const value = typeof found === 'number' ? String(found) : textOr(found, '');
  const text = object.kind === 'Secret' && path[0] === 'data' ? Buffer.from(value, 'base64').toString('utf8') : value;
  return [...text.matchAll(/[\w.-]+/g)].some(([one]) => one.replace(/^--?/, '') === word) || text === word;
}
