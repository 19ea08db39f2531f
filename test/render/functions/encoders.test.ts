import { randomBytes } from 'node:crypto';
import { describe } from 'vitest';
import { testHelmsAnswers } from './answers.ts';

describe("encoders, hashes, keys and certificates give what Helm's own functions give", () => {
  testHelmsAnswers('encoder-expected.json', randomBytes);
});
