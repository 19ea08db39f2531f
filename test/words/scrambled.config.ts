import { defineConfig } from 'vitest/config';

/**
 * The scrambled run: every letter of our own words is another one. What is asserted of requests, records, codes and
 * remedies holds all the same, because nobody reads a sentence to decide: `npm run test:scrambled`.
 */
const scrambled = {
  name: 'scrambled-words',
  transform(code: string, id: string): string | undefined {
    const [, name] = /\/src\/words\/(fact|remedy)\.ts$/.exec(id) ?? [];
    if (name === undefined) return undefined;
    const exported = name === 'fact' ? ['factText'] : ['remedyText', 'remedyForPrograms'];
    return exported.reduce(
      (text, each) =>
        `${text
          .replace(`export function ${each}(`, `function plain_${each}(`)
          .replace(
            `export const ${each} =`,
            `const plain_${each} =`,
          )}\nexport const ${each} = (one) => plain_${each}(one).replace(/[a-z]/gi, next);\n`,
      `${code}\nconst next = (letter) => /z/i.test(letter) ? letter === 'z' ? 'a' : 'A' : String.fromCharCode(letter.charCodeAt(0) + 1);\n`,
    );
  },
};

export default defineConfig({
  plugins: [{ ...scrambled, enforce: 'post' as const }],
  test: {
    testTimeout: 60_000,
    include: [
      'test/words/scrambled.check.ts',
      'test/actions/{install,upgrade,rollback,uninstall,ordered,lock,left-hooks,hooks}.test.ts',
      'test/change/deploy/*.test.ts',
      'test/execute/{execute,waits,done}.test.ts',
      'test/problem/**/*.test.ts',
      'test/stack/work/*.test.ts',
      'test/cli/every-flag.test.ts',
    ],
  },
});
