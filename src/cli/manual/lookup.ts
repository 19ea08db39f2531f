import { nearest } from '../../support/near.ts';
import { type Section, sectionsOf } from './sections.ts';

/** Pages whose sections are codes: what a code alone means is looked for here first. */
const codePages = ['problems', 'errors'];

export interface Found {
  /** What was asked for, or what has all words of it. */
  readonly sections: readonly Section[];
  readonly isExact: boolean;
}

/**
 * Finds a page (`waiting`), a section of it (`waiting#health-checks-of-your-own`), a code (`image-not-found`), or else
 * the sections that have all the words, those with the words in their title first. A page may be written as links and
 * help write it (`docs/waiting.md#…`), a code in the brackets that it has on the screen.
 */
export function lookUp(words: readonly string[], pages: ReadonlyMap<string, string>): Found {
  const [, code] = /^\[(.+)\]$/.exec(words.join(' ')) ?? [];
  const one = code ?? (words.length === 1 ? words[0] : undefined);
  const sections = one === undefined ? [] : exactSections(one, pages);
  return sections.length > 0 ? { sections, isExact: true } : { sections: sectionsWith(words, pages), isExact: false };
}

function exactSections(word: string, pages: ReadonlyMap<string, string>): readonly Section[] {
  const name = word.toLowerCase().replace(/^docs\//, '');
  const [page = '', id = ''] = name.replace(/\.md(?=#|$)/, '').split('#');
  const named = sectionsOf(page, pages.get(page) ?? '').filter((section) => section.id === id);
  return named.length > 0 ? named : codeSections(pages).filter((section) => section.id === name);
}

const codeSections = (pages: ReadonlyMap<string, string>): readonly Section[] =>
  codePages.flatMap((page) => sectionsOf(page, pages.get(page) ?? '')).filter(({ id }) => id !== '');

function sectionsWith(words: readonly string[], pages: ReadonlyMap<string, string>): readonly Section[] {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter((word) => word !== '');
  if (wanted.length === 0) return [];
  const hasAll = (text: string): boolean => wanted.every((word) => text.toLowerCase().includes(word));
  const all = [...pages].flatMap(([page, markdown]) => sectionsOf(page, markdown));
  const titled = all.filter(({ title }) => hasAll(title));
  return [...titled, ...all.filter((section) => !titled.includes(section) && hasAll(section.own))];
}

/** All pages and codes. */
export const knownNames = (pages: ReadonlyMap<string, string>): readonly string[] => [
  ...pages.keys(),
  ...codeSections(pages).map(({ id }) => id),
];

/** The page or code that was probably meant. */
export const meantName = (word: string, pages: ReadonlyMap<string, string>): string | undefined =>
  nearest(word, knownNames(pages));
