import { relative } from 'node:path';
import { encodeText } from '../go/text.ts';
import type { OutdatedPart } from '../saved-plan/outdated.ts';
import { sha256 } from '../saved-plan/proof.ts';
import type { SavedStack } from '../saved-plan/types.ts';
import { TshelmError } from '../support/errors.ts';
import type { StackNode } from './plan-stack.ts';
import type { StackFile } from './read-stack.ts';
import type { Reading } from './reading.ts';

type SavedState = Pick<SavedStack, 'files' | 'releases'>;

/** What is asked of a stack that was read and planned. */
interface PlannedStack {
  readonly files: readonly StackFile[];
  readonly nodes: readonly StackNode[];
  readonly reading: Pick<Reading, 'world'>;
}

/** The state files of a stack with their bases, named from the working directory, and the releases that are chosen. */
export function stateOf({ files, nodes, reading }: PlannedStack, cwd: string): SavedState {
  const paths = [...new Set(files.flatMap(({ source, bases }) => [source, ...bases]))].sort();
  return {
    files: Object.fromEntries(
      paths.map((path) => [relative(cwd, path), sha256(encodeText(reading.world.readFile(path)))]),
    ),
    releases: nodes.map(({ id }) => id).sort(),
  };
}

/** That the state files say something else than when the plan was made; undefined where they do not. */
export function outdatedState(was: SavedState, is: SavedState): TshelmError<'plan-outdated'> | undefined {
  const names = [...new Set([...Object.keys(was.files), ...Object.keys(is.files)])].sort();
  const changes: readonly OutdatedPart[] = [
    ...names
      .filter((name) => was.files[name] !== is.files[name])
      .map((name): OutdatedPart => {
        const how = was.files[name] === undefined ? 'is new' : is.files[name] === undefined ? 'is gone' : 'has changed';
        return { kind: 'state', subject: name, text: `the state file ${name} ${how}` };
      }),
    ...is.releases.filter((id) => !was.releases.includes(id)).map((id) => part(id, 'is new')),
    ...was.releases.filter((id) => !is.releases.includes(id)).map((id) => part(id, 'is gone')),
  ];
  if (changes.length === 0) return undefined;
  const lines = changes.map(({ text }) => `\n  ${text}`).join('');
  return new TshelmError('plan-outdated', {
    message: `the plan of the stack is out of date, so nothing was sent (plan again):${lines}`,
    details: { release: '', changes },
  });
}

const part = (id: string, how: string): OutdatedPart => ({
  kind: 'state',
  subject: id,
  text: `release ${id} ${how} in the state files`,
});
