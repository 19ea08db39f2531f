// Writes docs/problems.md and src/words/meanings.json from the doc comments of the fact types
// (src/problem/*-fact.ts) and the golden files of their texts (test/words): `npm run docs:errors`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Whose facts they are, in the order of the page. */
const areas = [
  ['refusal', 'What is refused', 'The API server refused an object, or tshelm refused it before sending it.'],
  ['workload', 'What does not become ready', 'An object is in the cluster, but it does not become ready.'],
  ['chart', 'What is wrong in the chart or its values', 'The chart cannot be rendered with these values.'],
  [
    'order',
    'What is wrong in an order',
    'The order that a chart declares cannot be followed, or an annotation of a hook has no effect.',
  ],
  [
    'version',
    'What versions of Kubernetes do not have',
    'An object is written for other versions than the ones asked about.',
  ],
  [
    'release',
    'What does not fit together in the release',
    'The API server may accept each object, but they do not work together. `tshelm check` finds these problems.',
  ],
];

/** Every code with what it means and what to do, by area, in the order of the sources. */
export function problemCodes() {
  return areas.flatMap(([area]) => codesIn(area));
}

function codesIn(area) {
  const text = readFileSync(join(root, `src/problem/${area}-fact.ts`), 'utf8');
  const unions = [...`${text}\n\n`.matchAll(/^export type \w+(?:Fact|Cause) =\n(.*?);\n\n/gms)].map(
    ([, union]) => union,
  );
  return unions
    .flatMap((union) => union.split(/(?=^ {2}\/\*\*)/m))
    .flatMap((member) => {
      const [whole, comment] = /^ {2}\/\*\*(.*?)\*\//s.exec(member) ?? [];
      if (whole === undefined) return [];
      const words = comment
        .replace(/^\s*\*\s?/gm, ' ')
        .replace(/\s+/g, ' ')
        .trim();
      const [, meaning = words, wayOut = ''] = /^(.*?\.) (.*)$/.exec(words) ?? [];
      const codes = [
        ...(/readonly code:([^;}]*)/.exec(member.slice(whole.length))?.[1] ?? '').matchAll(/'([a-z-]+)'/g),
      ];
      const rest = member.slice(whole.length).replace(/\/\*\*.*?\*\//gs, '');
      const fields = [...rest.matchAll(/readonly (\w+)\??:/g)]
        .map(([, name]) => name)
        .filter((name) => name !== 'code');
      return codes.map(([, code]) => ({ area, code, meaning, wayOut, fields }));
    });
}

/** What facts look like on a terminal, by code: the golden files of all texts, `…` for the words of other programs. */
export function textsOfCodes() {
  const lines = ['facts', 'workload'].flatMap((name) =>
    readFileSync(join(root, `test/words/${name}.txt`), 'utf8').split('\n'),
  );
  const texts = new Map();
  for (const line of lines) {
    const [, code, words] = /^([a-z-]+): (.*)$/.exec(line) ?? [];
    const text = words?.replaceAll('words of another program', '…');
    if (text !== undefined && text !== '…') texts.set(code, [...(texts.get(code) ?? []), text]);
  }
  return texts;
}

const mostShown = 3;

export function problemPage() {
  const codes = problemCodes();
  const texts = textsOfCodes();
  const sections = areas.map(([area, title, text]) => {
    const parts = codes
      .filter((one) => one.area === area)
      .map(({ code, meaning, wayOut, fields }) => {
        const facts = fields.length === 0 ? '' : `\n\nFacts: ${fields.map((name) => `\`${name}\``).join(', ')}.`;
        const shown = (texts.get(code) ?? []).slice(0, mostShown).map((text) => `${text}\n`);
        const screen = shown.length === 0 ? '' : `\n\n\`\`\`\n${shown.join('')}\`\`\``;
        const fix = wayOut === '' ? '' : `\n\nFix: ${wayOut}`;
        return `\n### ${code}\n${meaning}${screen}${fix}${facts}\n`;
      });
    return `\n## ${title}\n${text}\n${parts.join('')}`;
  });
  return `# Problems
Every problem has a stable code. On standard error it follows the cause in brackets (\`[field-type]\`), and \`tshelm explain CODE\` prints its section of this page. It is the \`code\` in \`error.problems\` of the library, in \`problems\` of the \`--report\` file, and in the events of \`--progress=json\`.
A problem says which object it is about (\`subject\`), what is wrong (\`cause\`, with the facts below), where to change it (\`places\`) and what to do (\`remedies\`). [problem.schema.json](problem.schema.json) describes all of it; [a bot](../examples/README.md) acts on it. In texts, … stands for what another program says. [Troubleshooting](troubleshooting.md) begins with what you see. This page is made from the sources: \`npm run docs:errors\`.
${sections.join('')}`;
}

/** The meaning of each code and what to do, for outputs that carry their own help. */
export const problemMeanings = () =>
  `${JSON.stringify(Object.fromEntries(problemCodes().map(({ code, meaning, wayOut }) => [code, `${meaning} ${wayOut}`.trim()])), null, 2)}\n`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(join(root, 'docs/problems.md'), problemPage());
  writeFileSync(join(root, 'src/words/meanings.json'), problemMeanings());
}
