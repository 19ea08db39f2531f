import { describe, expect, test } from 'vitest';
import { headlineChanges } from '../../src/actions/comparison/headlines.ts';
import type { ReleaseReview, ReviewedObject } from '../../src/actions/comparison/review.ts';
import { fieldDifferences } from '../../src/manifest/field-differences.ts';
import type { Plan } from '../../src/plan/types.ts';
import { equalReleases } from '../../src/show/changes/equal-releases.ts';
import { commentLimit, commentLimits, reviewMarkdown } from '../../src/show/changes/markdown.ts';
import { planPage } from '../../src/show/page/page.ts';
import { drawPlan } from '../../src/show/tree.ts';

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
    | <code>same</code> | <code>default</code> | unchanged | <code>1 (shop-1.0.0)</code> | 0 | 0 | 0 | 0 | 3 |

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

describe('many releases', () => {
  const diffOf = (name: string, place: number): string =>
    `@@ -${place} +${place} @@\n   name: ${name}-web\n-  image: app:1\n+  image: app:2\n`;
  const shop = (name: string, place = 7, more: Partial<ReviewedObject> = {}): ReleaseReview =>
    review(name, { objects: [object(`${name}-web`, { diff: diffOf(name, place), ...more })] });

  test('equal changes are told once, with the releases that have them', () => {
    const text = reviewMarkdown([shop('a'), shop('b', 9), shop('c', 7, { notes: ['other'] }), shop('d')]);
    expect(text.match(/<summary>.*<\/summary>/g)).toEqual([
      '<summary><code>a</code> in <code>default</code> and 2 more releases: changed</summary>',
      '<summary><code>c</code> in <code>default</code>: changed</summary>',
    ]);
    expect(text).toContain(
      '\nThe same in <code>b</code> in <code>default</code>, <code>d</code> in <code>default</code>.\n',
    );
    expect(text.match(/image: app:2/g)).toHaveLength(2);
  });

  test('a name that is part of a word is a difference', () => {
    const named = (release: string, diff: string): ReleaseReview =>
      review(release, { objects: [object('settings', { diff })] });
    const reviews = [named('a', '+a: data\n'), named('b', '+b: data\n'), named('c', '+c: dbtb\n')];
    expect(equalReleases(reviews).map(({ others }) => others.length)).toEqual([1, 0]);
  });

  test('a name that each render makes anew is no difference, and what else changes is', () => {
    const hook = (name: string, image: string): ReviewedObject =>
      object(name, {
        random: [{ path: 'metadata.name', value: name }],
        diff: `@@ -1 +1 @@\n   name: ${name}\n-  image: app:1\n+  image: ${image}\n`,
      });
    const hooked = (release: string, name: string, image = 'app:2'): ReleaseReview =>
      review(release, { hooks: [hook(name, image)] });
    const reviews = [hooked('web', 'test-x1'), hooked('api', 'test-y2'), hooked('shop', 'test-z3', 'app:3')];
    expect(equalReleases(reviews).map(({ first, others }) => [first.release, others.length])).toEqual([
      ['web', 1],
      ['shop', 0],
    ]);
  });

  test('the table says what changes', () => {
    const headlines = headlineChanges(
      fieldDifferences(
        {
          spec: {
            replicas: 2,
            template: {
              metadata: { labels: { v: '1' } },
              spec: { containers: [{ name: 'web', image: 'reg:5000/app:5.0', env: [{ name: 'LOG', value: 'info' }] }] },
            },
          },
          data: { long: 'x'.repeat(61), a: 'one' },
        },
        {
          spec: {
            replicas: 3,
            template: {
              metadata: { labels: { v: '2' } },
              spec: {
                containers: [{ name: 'web', image: 'reg:5000/app:7.0', env: [{ name: 'LOG', value: 'debug' }] }],
              },
            },
          },
          data: { long: 'y', a: 'two' },
        },
      ),
    );
    const row = reviewMarkdown([shop('a', 7, { headlines })])
      .split('\n')
      .find((line) => line.startsWith('| <code>a'));
    expect(row?.split(' | ')[2]).toBe(
      'changed: <code>image 5.0 → 7.0</code>, <code>replicas 2 → 3</code>, <code>a one → two</code>, and 1 more',
    );
  });
});

describe('where there are several clusters', () => {
  const [dev, prod] = ['dev', 'prod'].map((context) => ({ context, server: `https://${context}.example` }));

  test('the only one of a review is named above', () => {
    const text = reviewMarkdown([review('a', { cluster: prod }), review('b', { cluster: prod })]);
    expect(text.split('\n')[4]).toBe('In <code>context prod (https&#58;//prod.example)</code>.');
    expect(text.match(/prod\.example/g)).toHaveLength(1);
  });

  test('each release says to which it belongs', () => {
    const text = reviewMarkdown([review('web', { cluster: dev }), review('api', { cluster: prod })]);
    expect(text).toContain(
      '| <code>api</code> | <code>default</code> of <code>context prod (https&#58;//prod.example)</code> |',
    );
    expect(text).toContain('The same in <code>api</code> in <code>default</code> of <code>context prod (');
  });

  test('a plan names it in its title', () => {
    const changes = { cluster: prod, to: { revision: 1, chart: 'a-1' }, objects: [] };
    const plan: Plan = {
      action: 'install',
      release: 'a',
      namespace: 'shop',
      strategy: 'ordered',
      steps: [],
      warnings: [],
      changes,
    };
    const title = 'install a in namespace shop of context prod (https://prod.example)';
    expect(drawPlan(plan)).toContain(`${title}: revision 1 (a-1)`);
    expect(planPage(plan)).toContain(title);
  });
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
    expect(text).toContain('_2 parts left out: the comment would be too long._');
    expect(text.split('\n').slice(2, 5)).toEqual([
      '### tshelm: 2 of 2 releases would change',
      '',
      '**2 parts left out: the comment would be too long.** `tshelm show-plan` and `tshelm diff` show all.',
    ]);
    const [, , , , note] = reviewMarkdown(reviews, commentLimits.github, 'tshelm show-plan <a>.plan').split('\n');
    expect(note).toMatch(/<code>tshelm show-plan &#60;a&#62;\.plan<\/code> shows all\.$/);
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
    const changing = Array.from({ length: 2000 }, (_one, index) => review(`changing-${index}`));
    const text = reviewMarkdown([...same, ...changing]);
    expect(text).toContain('<code>changing-0</code>');
    expect(text).not.toContain('<code>same-0</code>');
    expect(text).toMatch(/more releases and all diffs left out/);
  });

  test('many unchanged releases are one row', () => {
    const same = Array.from({ length: 2000 }, (_one, index) => review(`same-${index}`, { objects: [], counts: none }));
    const text = reviewMarkdown([...same, review('changing')]);
    expect(text).toContain('\n| 2000 releases | | unchanged | | | | | | |\n');
    expect(text).toContain('<summary><code>changing</code> in <code>default</code>: changed</summary>');
    expect(text).not.toContain('left out');
  });

  test('follow where the job runs', () => {
    expect([commentLimit({}), commentLimit({ GITLAB_CI: 'true' })]).toEqual([64_000, 990_000]);
  });
});
