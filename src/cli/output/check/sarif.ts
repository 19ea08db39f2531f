import { printable } from '../../../support/printable.ts';
import { tshelmVersion } from '../../../support/version.ts';
import meanings from '../../../words/meanings.json' with { type: 'json' };
import { formatted } from '../../terminal/format.ts';
import type { FileLine, Mark } from './checked.ts';
import { fingerprinted } from './fingerprint.ts';

/** SARIF 2.1.0 as GitHub's code scanning takes it: a rule for each code that was found, a result for each finding. */
export function checkSarif(marks: readonly Mark[]): string {
  const codes = [...new Set(marks.map(({ problem }) => problem.code))].sort();
  const driver = {
    name: 'tshelm',
    semanticVersion: tshelmVersion,
    informationUri: 'https://www.npmjs.com/package/tshelm',
    rules: codes.map((code) => ruleOf(code, marks.find(({ problem }) => problem.code === code)?.level ?? 'error')),
  };
  const results = fingerprinted(marks).map((mark) => resultOf(mark, codes.indexOf(mark.problem.code)));
  const run = { tool: { driver }, columnKind: 'utf16CodeUnits', results };
  return formatted({ $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] }, 'json');
}

function ruleOf(code: Mark['problem']['code'], level: Mark['level']) {
  const text = (meanings as Partial<Record<string, string>>)[code] ?? code;
  return {
    id: code,
    shortDescription: { text: text.slice(0, text.indexOf('. ') + 1 || undefined) },
    fullDescription: { text },
    help: { text, markdown: `${text}\n\nMore: \`tshelm explain ${code}\`. Leave it out: \`tshelm explain check\`.` },
    defaultConfiguration: { level },
    properties: { tags: ['kubernetes', 'helm'] },
  };
}

function resultOf(mark: ReturnType<typeof fingerprinted>[number], ruleIndex: number) {
  const { level, problem, title, details, at, related, fingerprint } = mark;
  return {
    ruleId: problem.code,
    ruleIndex,
    level,
    message: { text: printable([title, ...details].join('\n')) },
    locations: at === undefined ? [] : [locationOf(at)],
    relatedLocations: related.map(({ text, ...line }, id) => ({
      id: id + 1,
      ...locationOf(line),
      message: { text: printable(text) },
    })),
    partialFingerprints: { 'tshelm/v1': fingerprint },
  };
}

const locationOf = ({ file, line = 1, column }: FileLine) => ({
  physicalLocation: {
    artifactLocation: { uri: encodeURI(file).replaceAll('#', '%23').replaceAll('?', '%3F'), uriBaseId: '%SRCROOT%' },
    region: { startLine: line, ...(column !== undefined && { startColumn: column }) },
  },
});
