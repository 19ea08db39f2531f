import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { leastRecordBytes } from '../../src/release/codec.ts';
import { checkStorable } from '../../src/release/record-size.ts';
import type { Release } from '../../src/release/types.ts';
import { releaseOf } from './releases.ts';

const limit = 1_048_576;
const megabytes = 1024 * 1024;

function releaseWith(data: Uint8Array): Release {
  const files = [{ name: 'model.bin', data }];
  return releaseOf('web', 1, 'pending-install', { chart: { ...releaseOf('web').chart, files } });
}

describe('how much a record takes at least', () => {
  test.each([
    ['of what cannot be packed, a part says enough', randomBytes(16 * megabytes), true],
    ['what can be packed takes the whole to say', Buffer.alloc(16 * megabytes, 'same '), false],
    ['what is small is packed as a whole', randomBytes(2 * megabytes), false],
  ])('%s', async (_what, data, isCertain) => {
    const least = await leastRecordBytes(releaseWith(data), limit);
    if (isCertain) expect(least).toBeGreaterThan(limit);
    else expect(least).toBeUndefined();
  });
});

test('a chart of many megabytes is refused after a part of it was packed', async () => {
  await expect(checkStorable(releaseWith(randomBytes(16 * megabytes)))).rejects.toMatchObject({
    code: 'release-too-large',
    message: expect.stringMatching(
      /^the record of release "web" is more than \d+\.\d KiB after compression, .*model\.bin/s,
    ),
  });
});

test('values that are too large are named, and the chart is not to lose its files for them', async () => {
  const { chart } = releaseOf('web');
  const files = [{ name: 'notes.txt', data: Buffer.from('small') }];
  const config = new Map([['blob', randomBytes(2 * megabytes).toString('hex')]]);
  await expect(
    checkStorable(releaseOf('web', 1, 'pending-install', { config, chart: { ...chart, files } })),
  ).rejects.toMatchObject({
    details: {
      parts: expect.arrayContaining([expect.objectContaining({ name: 'the values that were set' })]),
      remedies: [],
    },
  });
});
