// Reads what `go test -json` said: prints the output of each test that failed, and how many of the innermost tests passed.
import { readFileSync } from 'node:fs';

const tests = new Map();
for (const line of readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((one) => one.startsWith('{'))) {
  const { Action, Test, Output } = JSON.parse(line);
  if (Action.startsWith('build') && Output) process.stdout.write(Output);
  if (Test === undefined) {
    if (Action === 'output' && /panic|cannot|undefined|\.go:/.test(Output)) process.stdout.write(Output);
    continue;
  }
  const test = tests.get(Test) ?? { output: '', end: '' };
  tests.set(Test, test);
  if (Action === 'output') test.output += Output;
  if (['pass', 'fail', 'skip'].includes(Action)) test.end = Action;
}
const innermost = [...tests].filter(
  ([name, { output }]) =>
    output.includes("=== in Helm's place") && ![...tests.keys()].some((other) => other.startsWith(`${name}/`)),
);
for (const [name, { output, end }] of innermost) if (end === 'fail') console.log(`--- ${name}\n${output}`);
const count = (end) => innermost.filter(([, test]) => test.end === end).length;
console.log(`${count('pass')} passed, ${count('fail')} failed, ${count('skip')} skipped`);
