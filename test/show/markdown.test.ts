import { describe, expect, test } from 'vitest';
import type { ReleaseReview, ReviewedObject } from '../../src/actions/comparison/review.ts';
import { commentLimit, commentLimits, reviewMarkdown } from '../../src/show/changes/markdown.ts';

const object = (name: string, more: Partial<ReviewedObject> = {}): ReviewedObject => ({
  id: { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'default', name },
  change: 'changed',
  diff: '@@ -1 +1 @@\n-a: 1\n+a: 2\n',
  notes: [],
  ...more,
});
const review = (release: string, more: Partial<ReleaseReview> = {}): ReleaseReview => ({
  action: 'upgrade',
  release,
  namespace: 'default',
  from: { revision: 1, chart: 'shop-1.0.0' },
  to: { revision: 2, chart: 'shop-1.1.0' },
  objects: [object('settings')],
  hooks: [],
  counts: { added: 0, changed: 1, removed: 0, kept: 0, unchanged: 2 },
  warnings: [],
  ...more,
});
const none = { added: 0, changed: 0, removed: 0, kept: 0, unchanged: 3 };

test('a table of the releases, and a fold for each that changes', () => {
  const text = reviewMarkdown([
    review('web'),
    review('new', { from: undefined, to: { revision: 1, chart: 'new-0.1.0' } }),
    review('old', { action: 'uninstall', objects: [object('gone', { change: 'removed' })] }),
    review('same', { objects: [], counts: none }),
  ]);
  expect(text).toMatchInlineSnapshot(`
    "<!-- tshelm review -->

    ### tshelm: 3 of 4 releases would change

    | Release | Namespace | Change | Revision | Add | Change | Remove | Keep | Same |
    |---|---|---|---|--:|--:|--:|--:|--:|
    | <code>web</code> | <code>default</code> | changed | <code>1 (shop-1.0.0) → 2 (shop-1.1.0)</code> | 0 | 1 | 0 | 0 | 2 |
    | <code>new</code> | <code>default</code> | new | <code>1 (new-0.1.0)</code> | 0 | 1 | 0 | 0 | 2 |
    | <code>old</code> | <code>default</code> | gone | <code>1 (shop-1.0.0)</code> | 0 | 1 | 0 | 0 | 2 |
    | <code>same</code> | <code>default</code> | unchanged | <code>1 (shop-1.0.0) → 2 (shop-1.1.0)</code> | 0 | 0 | 0 | 0 | 3 |

    <details><summary><code>web</code> in <code>default</code>: changed</summary>

    <code>ConfigMap/settings in default</code> changed

    \`\`\`diff
    @@ -1 +1 @@
    -a: 1
    +a: 2
    \`\`\`

    </details>

    <details><summary><code>new</code> in <code>default</code>: new</summary>

    <code>ConfigMap/settings in default</code> changed

    \`\`\`diff
    @@ -1 +1 @@
    -a: 1
    +a: 2
    \`\`\`

    </details>

    <details><summary><code>old</code> in <code>default</code>: gone</summary>

    <code>ConfigMap/gone in default</code> removed

    \`\`\`diff
    @@ -1 +1 @@
    -a: 1
    +a: 2
    \`\`\`

    </details>
    "
  `);
});

test('the same changes give the same text', () => {
  expect(reviewMarkdown([review('a'), review('b')])).toBe(reviewMarkdown([review('a'), review('b')]));
});

describe('nothing that charts and objects say breaks out', () => {
  const hostile = [
    '</code></details><script>alert(1)</script>',
    '| x | y |',
    '`code` ``` ~~~',
    '**bold** [link](http://evil.example) ![image](x)',
    '@everyone #1 <!-- comment',
    'a\n\n# heading\r\n- item',
    '\u202eright to left\u200b\u0007',
    '&lt;script&gt;',
    '$math$ :smile: https://evil.example www.evil.example me@evil.example',
  ];

  test.each(hostile)('%j', (text) => {
    const told = reviewMarkdown([
      review(text, {
        namespace: text,
        from: { revision: 1, chart: text },
        objects: [object(text, { notes: [text], problem: text })],
        warnings: [text],
      }),
    ]);
    const tags = told.match(/<[^>]*>/g) ?? [];
    const known = ['<!-- tshelm review -->', '<code>', '</code>', '<details>', '<summary>', '</summary>', '</details>'];
    expect(tags.filter((tag) => !known.includes(tag))).toEqual([]);
    expect(tags.filter((tag) => tag === '<details>')).toHaveLength(1);
    const outside = told.replace(/```diff\n[^]*?\n```\n/g, '').replaceAll('`tshelm show-plan`', '');
    expect(outside).not.toMatch(/www\.|:\/\/|[`[\]~@]|\u202e|\u0007|\u200b/);
    // The head, the line below it, and a row: no line more, no cell more.
    const rows = told.split('\n').filter((line) => line.startsWith('|'));
    expect(rows.map((row) => row.split('|').length)).toEqual([11, 11, 11]);
    expect(told.split('\n').filter((line) => line.startsWith('#'))).toHaveLength(1);
    for (const line of outside.split('\n').filter((one) => one.includes('evil') || one.includes('everyone')))
      expect(line.replace(/<code>[^<]*<\/code>/g, '')).not.toMatch(/evil|everyone/);
  });

  test.each(['```', '````diff', '~~~', '`````'])('a fence that has %s inside ends where it is to end', (fence) => {
    const diff = ` ${fence}\n+${fence}\n-</details>\n${fence}\n`;
    const told = reviewMarkdown([review('web', { objects: [object('a', { diff })] })]);
    const [, mark = ''] = /^(`{3,})diff$/m.exec(told) ?? [];
    const lines = told.split('\n');
    const start = lines.indexOf(`${mark}diff`);
    const inside = lines.slice(start + 1, lines.indexOf(mark, start + 1));
    expect(inside.join('\n')).toBe(diff.trimEnd());
  });
});

describe('limits', () => {
  const big = (size: number): ReviewedObject => object('big', { diff: `+${'ä'.repeat(size)}\n` });

  test('what does not fit is left out, counted, and later releases keep their folds', () => {
    const reviews = [review('a', { objects: [object('small'), big(60_000), big(10)] }), review('b')];
    const text = reviewMarkdown(reviews);
    expect(Buffer.byteLength(text)).toBeLessThan(65_536);
    expect(text).toContain('_2 parts left out: the comment would be too long.');
    expect(text).toContain('ConfigMap/small in default');
    expect(text.match(/<\/details>/g)).toHaveLength(2);
    expect(reviewMarkdown(reviews, commentLimits.gitlab)).not.toContain('left out');
  });

  test.each([0, 1, 10, 100, 1000, 5000])('%i releases with large diffs stay below it', (count) => {
    const reviews = Array.from({ length: count }, (_one, index) =>
      review(`release-${index}`, { objects: [big(3000), big(3000)] }),
    );
    for (const limit of Object.values(commentLimits))
      expect(Buffer.byteLength(reviewMarkdown(reviews, limit))).toBeLessThanOrEqual(limit);
  });

  test('of very many releases, those that change come first', () => {
    const same = Array.from({ length: 2000 }, (_one, index) => review(`same-${index}`, { objects: [], counts: none }));
    const text = reviewMarkdown([...same, review('changing')]);
    expect(text).toContain('<code>changing</code>');
    expect(text).toMatch(/more releases and all diffs left out/);
  });

  test('follow where the job runs', () => {
    expect([commentLimit({}), commentLimit({ GITLAB_CI: 'true' })]).toEqual([64_000, 990_000]);
  });
});
