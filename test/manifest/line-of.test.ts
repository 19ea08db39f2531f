import { expect, test } from 'vitest';
import { lineOfPath } from '../../src/manifest/line-of.ts';

const text = `# a comment
apiVersion: v1
kind: List
items:
- kind: A
  metadata:
    name: labels
    labels:
      - x
- kind: B
  metadata: {name: b, "labels": {app.x/y: 1}}
`;

test.each([
  [[], 2],
  [['kind'], 3],
  [['items', 0], 5],
  [['items', 0, 'metadata', 'labels'], 8],
  [['items', 1], 10],
  [['items', 1, 'metadata', 'labels', 'app.x/y'], 11],
  [['items', 1, 'absent'], 10],
  [['items', 7], 4],
])('%j is in line %i', (path, line) => expect(lineOfPath(text, path)).toBe(line));
