import type { ManifestChange, ManifestChangeKind } from '../../actions/manifest-diff/compare.ts';
import type { ManifestEntry } from '../../actions/manifest-diff/entries.ts';
import { fieldChanges, fieldsOf } from '../../actions/manifest-diff/field-changes.ts';
import { readBytes } from '../../go/files.ts';
import { GoStruct } from '../../go/struct.ts';
import type { ComparedLine } from '../../support/compare-lines.ts';
import { escapedJson } from '../../support/json.ts';
import { compareText } from '../../support/order.ts';
import { goFunction } from '../../template/function.ts';
import { dyffText } from './dyff.ts';
import { goTemplateText } from './go-template.ts';
import type { ManifestDiffSettings } from './manifest-diff-flags.ts';

/** Changes in one of the forms of helm-diff's --output. Follows its report.go. */
export function manifestDiffText(changes: readonly ManifestChange[], settings: ManifestDiffSettings): string {
  switch (settings.format) {
    case 'diff':
      return changes.map((change) => changeText(change, settings)).join('');
    case 'simple':
      return simpleText(changes, settings);
    case 'json':
      return `${jsonText(changes.flatMap(nameOf))}\n`;
    case 'template':
      return `${templateText(changes.flatMap(nameOf), settings)}\n`;
    case 'structured':
      return structuredText(changes, settings);
    case 'dyff':
      return dyffText(changes, settings);
  }
}

/** Without what differs in style alone, where fields are compared. */
export const shownChanges = (
  changes: readonly ManifestChange[],
  { format, suppressedKinds }: ManifestDiffSettings,
): readonly ManifestChange[] =>
  format !== 'structured'
    ? changes
    : changes.filter(
        ({ kind, before, after }) =>
          before === undefined ||
          after === undefined ||
          suppressedKinds.includes(kind) ||
          fieldChanges(before, after).length > 0,
      );

type Painter = (text: string, color: keyof typeof colorCodes) => string;

const colorCodes = { red: '0;31', green: '0;32', yellow: '0;33', magenta: '0;35', lightBlue: '0;94' } as const;
const painter =
  ({ isColored }: ManifestDiffSettings): Painter =>
  (text, color) =>
    isColored ? `\x1b[${colorCodes[color]}m${text}\x1b[0m` : text;

const suppressed = 'has changed, but diff is empty after suppression.';
const titles: Readonly<Record<ManifestChangeKind, readonly [keyof typeof colorCodes, string, string]>> = {
  ADD: ['green', 'has been added:', 'to be added.'],
  REMOVE: ['red', 'has been removed:', 'to be removed.'],
  MODIFY: ['yellow', 'has changed:', 'to be changed.'],
  OWNERSHIP: ['magenta', 'changed ownership:', 'to change ownership.'],
  MODIFY_SUPPRESSED: ['lightBlue', suppressed, suppressed],
};

function changeText({ key, kind, change, lines }: ManifestChange, settings: ManifestDiffSettings): string {
  const paint = painter(settings);
  const [color, title] = titles[change];
  const head = `${paint(`${key} ${title}`, color)}\n`;
  if (settings.suppressedKinds.includes(kind)) {
    return head + paint(`+ Changes suppressed on sensitive content of type ${kind}\n`, 'yellow');
  }
  return head + linesText(lines, settings.context, paint);
}

/** Lines that are farther from every change than `context` are left out, with `...` in their place. */
function linesText(lines: readonly ComparedLine[], context: number | undefined, paint: Painter): string {
  const isNear = context === undefined ? () => true : nearChange(lines, context);
  let text = '';
  let isOmitting = false;
  lines.forEach((line, index) => {
    if (isNear(index)) text += lineText(line, paint);
    else if (!isOmitting) text += '...\n';
    isOmitting = !isNear(index);
  });
  return text;
}

function nearChange(lines: readonly ComparedLine[], context: number): (index: number) => boolean {
  const near = new Set<number>();
  lines.forEach(({ sign }, index) => {
    if (sign === ' ') return;
    for (let at = index - context; at <= index + context; at++) near.add(at);
  });
  return (index) => near.has(index);
}

function lineText({ sign, text }: ComparedLine, paint: Painter): string {
  switch (sign) {
    case '+':
      return `${paint(`+ ${text}`, 'green')}\n`;
    case '-':
      return `${paint(`- ${text}`, 'red')}\n`;
    case ' ':
      return text === '' ? '\n' : `  ${text}\n`;
  }
}

function simpleText(changes: readonly ManifestChange[], settings: ManifestDiffSettings): string {
  const paint = painter(settings);
  const count = (kind: ManifestChangeKind): number => changes.filter(({ change }) => change === kind).length;
  const lines = changes.map(({ key, change }) => `${paint(`${key} ${titles[change][2]}`, titles[change][0])}\n`);
  return `${lines.join('')}Plan: ${count('ADD')} to add, ${count('MODIFY')} to change, ${count('REMOVE')} to destroy, ${count('OWNERSHIP')} to change ownership.\n`;
}

interface NamedChange {
  readonly api: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly change: string;
}

/** What a key says; nothing where it is no key of an object, as in a comparison of two releases. */
function nameOf({ key, change }: ManifestChange): NamedChange[] {
  const match = /([a-z0-9-]+), ([a-z0-9.-]+), (\w+) \(([^)]+)\)/.exec(key);
  if (match === null) return [];
  const [, namespace = '', name = '', kind = '', api = ''] = match;
  return [{ api, kind, namespace, name, change }];
}

/** The members one a line, without escapes: the default template of helm-diff writes texts as they are. */
const jsonText = (changes: readonly NamedChange[]): string =>
  `[${changes.map((change) => `{\n${membersOf(change)}\n}`).join(',')}]`;

const membersOf = (change: NamedChange): string =>
  Object.entries(change)
    .map(([name, value]) => `  "${name}": "${value}"`)
    .join(',\n');

function templateText(changes: readonly NamedChange[], { templateFile }: ManifestDiffSettings): string {
  if (templateFile === undefined) return jsonText(changes);
  const specs = changes.map(
    ({ api, kind, namespace, name, change }) =>
      new GoStruct('diff.ReportTemplateSpec', [
        ['Namespace', namespace],
        ['Name', name],
        ['Kind', kind],
        ['API', api],
        ['Change', change],
      ]),
  );
  const last = goFunction(
    'func(int, any) bool',
    (index: number, list: readonly unknown[]) => index === list.length - 1,
  );
  return goTemplateText(readBytes(templateFile).toString(), specs, { last });
}

/** Field by field, as JSON. Follows buildStructuredEntry. */
function structuredText(changes: readonly ManifestChange[], settings: ManifestDiffSettings): string {
  const entries = changes.map((change) => structuredEntry(change, settings));
  const text = JSON.stringify(entries, (_key, value) => sorted(value), 2);
  return `${escapedJson(text)}\n`;
}

function structuredEntry(change: ManifestChange, { suppressedKinds }: ManifestDiffSettings): StructuredEntry {
  const { before, after } = change;
  const object = { ...read(after), ...read(before) };
  const named = nameOf(change)[0];
  const isSuppressed = suppressedKinds.includes(change.kind);
  const fields = isSuppressed || before === undefined || after === undefined ? [] : fieldChanges(before, after);
  if (change.change === 'OWNERSHIP') return new StructuredEntry({ name: change.key, changeType: change.change });
  return new StructuredEntry({
    apiVersion: object.apiVersion || named?.api,
    kind: object.kind || named?.kind,
    namespace: object.metadata?.namespace || named?.namespace,
    name: object.metadata?.name || named?.name,
    changeType: change.change,
    resourceStatus: new StructuredEntry({ oldExists: before !== undefined, newExists: after !== undefined }),
    changes:
      fields.length === 0
        ? undefined
        : fields.map((field) => new StructuredEntry({ ...field, path: field.path || undefined })),
    changesSuppressed: isSuppressed || undefined,
  });
}

/** An object whose members keep their order; those of the manifests are sorted, as Go writes maps. */
class StructuredEntry {
  constructor(members: object) {
    Object.assign(this, members);
  }
}

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof StructuredEntry)
    return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)));
}

interface Named {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata?: { readonly name?: string; readonly namespace?: string };
}

const read = (entry: ManifestEntry | undefined): Named =>
  entry === undefined ? {} : ((fieldsOf(entry) ?? {}) as Named);
