/** Numbers by chance, below a limit; the same ones for the same seed. */
export function drawn(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Texts like `text`, each with a few mistakes in it; the same ones for the same seed. */
export function* drawFrom(text: string, count: number, seed = 20_261_124): Generator<string> {
  const below = drawn(seed);
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
