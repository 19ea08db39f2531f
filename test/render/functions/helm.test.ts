import { describe } from 'vitest';
import { testHelmsAnswers } from './answers.ts';

describe("templates give what Helm's own functions give", () => {
  testHelmsAnswers('expected.json', (count) => new Uint8Array(count).fill(7));
});
