/** Texts like `text`, each with a few mistakes in it; the same ones in every run. */
export function* drawFrom(text: string, count: number): Generator<string> {
  let state = 20_261_124;
  const below = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  const pieces = [
    '',
    '{',
    '}',
    '[',
    ']',
    ':',
    '"',
    "'",
    '-',
    ',',
    '\n',
    ' ',
    '0',
    'null',
    '5',
    '[]',
    '{}',
    '\0',
    '\ufffd',
    '&a',
    '*a',
    '!',
    '|',
    '.',
    '}}',
    '{{',
    '1e999',
    '\\',
  ];
  for (let made = 0; made < count; made++) {
    let mutated = text;
    for (let mistakes = 1 + below(4); mistakes > 0; mistakes--) {
      const from = below(mutated.length + 1);
      const to = Math.min(mutated.length, from + below(below(2) === 0 ? 2 : 12));
      mutated = mutated.slice(0, from) + pieces[below(pieces.length)] + mutated.slice(to);
    }
    yield mutated;
  }
}
