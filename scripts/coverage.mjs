// Joins the coverage of the unit and the end-to-end tests and prints the lines covered, by folder of src/.
// Exit code 1 below the bound given as first argument (percent).
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import libCoverage from 'istanbul-lib-coverage';

const bound = Number(process.argv[2] ?? 0);
const map = libCoverage.createCoverageMap({});
for (const part of ['unit', 'e2e']) {
  const file = `coverage/${part}/coverage-final.json`;
  if (existsSync(file)) map.merge(JSON.parse(readFileSync(file, 'utf8')));
  else console.log(`(no coverage of the ${part} tests: ${file} is absent)`);
}

const folders = new Map();
for (const file of map.files()) {
  const folder = relative(process.cwd(), file).split('/').slice(0, 2).join('/');
  const { lines } = map.fileCoverageFor(file).toSummary().data;
  const sum = folders.get(folder) ?? { covered: 0, total: 0 };
  folders.set(folder, { covered: sum.covered + lines.covered, total: sum.total + lines.total });
}
const percent = ({ covered, total }) => (total === 0 ? 100 : (100 * covered) / total);
for (const [folder, sum] of [...folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`${folder.padEnd(18)} ${percent(sum).toFixed(1).padStart(6)} %   ${sum.covered} of ${sum.total} lines`);
}
const all = map.getCoverageSummary().data.lines;
console.log(`${'all'.padEnd(18)} ${percent(all).toFixed(1).padStart(6)} %   ${all.covered} of ${all.total} lines`);
if (all.total === 0 || percent(all) < bound) {
  console.log(all.total === 0 ? 'nothing is covered' : `coverage is below ${bound} %`);
  process.exitCode = 1;
}
