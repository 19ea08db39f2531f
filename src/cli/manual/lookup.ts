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
 * Finds a page (`waiting`), a section of it (`waiting#health-checks-of-your-own`), a code (`image-not-found`), a symptom that
 * a title of troubleshooting names (`pending-upgrade`), or else the sections that have all the words, the best first. A page
 * may be written as links and help write it (`docs/waiting.md#…`), a code in the brackets that it has on the screen.
 */
export function lookUp(words: readonly string[], pages: ReadonlyMap<string, string>): Found {
  const [, code] = /^\[(.+)\]$/.exec(words.join(' ')) ?? [];
  const one = code ?? (words.length === 1 ? words[0] : undefined);
  const sections = one === undefined ? [] : exactSections(one, pages);
  if (sections.length > 0) return { sections, isExact: true };
  const symptom = symptomSection(words.join(' ').toLowerCase(), pages);
  if (symptom !== undefined) return { sections: [symptom], isExact: true };
  return { sections: sectionsWith(words, pages), isExact: false };
}

/** `## pending-upgrade, pending-install`: the section of either. */
const symptomSection = (words: string, pages: ReadonlyMap<string, string>): Section | undefined =>
  sectionsOf('troubleshooting', pages.get('troubleshooting') ?? '').find(
    ({ id, title }) => id !== '' && title.toLowerCase().split(', ').includes(words),
  );

function exactSections(word: string, pages: ReadonlyMap<string, string>): readonly Section[] {
  const name = word.toLowerCase().replace(/^docs\//, '');
  const [page = '', id = ''] = name.replace(/\.md(?=#|$)/, '').split('#');
  const named = sectionsOf(page, pages.get(page) ?? '').filter((section) => section.id === id);
  return named.length > 0 ? named : codeSections(pages).filter((section) => section.id === name);
}

const codeSections = (pages: ReadonlyMap<string, string>): readonly Section[] =>
  codePages.flatMap((page) => sectionsOf(page, pages.get(page) ?? '')).filter(({ id }) => id !== '');

/** The sections that have all the words, those that are about them first. */
export function sectionsWith(words: readonly string[], pages: ReadonlyMap<string, string>): readonly Section[] {
  const wanted = words.flatMap((word) => word.toLowerCase().split(/\s+/)).filter((word) => word !== '');
  if (wanted.length === 0) return [];
  return [...pages]
    .flatMap(([page, markdown]) => sectionsOf(page, markdown))
    .map((section) => ({ section, points: pointsOf(section, wanted) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ section }) => section);
}

/** So many mentions show that a section is about a word. */
const mostMentions = 8;

/** 0 if a word is missing. What explains an error comes before what mentions it. */
function pointsOf({ page, title, own }: Section, wanted: readonly string[]): number {
  const [heading, text] = [title.toLowerCase(), own.toLowerCase()];
  const points = wanted.map((word) => {
    const mentions = Math.min(text.split(word).length - 1, mostMentions);
    if (mentions === 0) return 0;
    return mentions + (wordsOf(heading).has(word) ? 8 : heading.includes(word) ? 4 : 0);
  });
  const boost = page === 'troubleshooting' ? 2 : codePages.includes(page) ? 1.25 : 1;
  return points.includes(0) ? 0 : boost * points.reduce((sum, one) => sum + one, 0);
}

/** A code is one word. */
const wordsOf = (title: string): ReadonlySet<string> => new Set(title.split(/[^\p{L}\p{N}-]+/u));

/** All pages and codes. */
export const knownNames = (pages: ReadonlyMap<string, string>): readonly string[] => [
  ...pages.keys(),
  ...codeSections(pages).map(({ id }) => id),
];

/** The page or code that was probably meant. */
export const meantName = (word: string, pages: ReadonlyMap<string, string>): string | undefined =>
  nearest(word, knownNames(pages));
