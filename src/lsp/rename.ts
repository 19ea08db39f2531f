import { placedCharts } from '../chart/paths.ts';
import { isPathWithin } from '../manifest/field-path.ts';
import { Lines } from '../support/lines.ts';
import { goDelimiters, Tokens } from '../template/lexer.ts';
import type { ChartView } from './chart-view.ts';
import { anyKey, type Edit, isSame, type Location, placesOfKeys, type Subject, valuesFiles } from './places.ts';
import { schemaEdits } from './rename-schema.ts';
import { helperPlaces } from './template-symbol.ts';
import { keysIn } from './value-keys.ts';

/** The changes that give something another name, or why it keeps its name. */
export type Renaming = { readonly edits: readonly Edit[] } | { readonly problem: string };

type ValueSubject = Extract<Subject, { kind: 'value' }>;

/** Gives a value's key or a helper another name, wherever it is set, defined and used. */
export function renamed(view: ChartView, subject: Subject, name: string): Renaming {
  const problem = subject.kind === 'helper' ? helperProblem(view, subject.name) : valueProblem(view, subject);
  if (problem !== undefined) return { problem };
  const old = subject.kind === 'helper' ? subject.name : subject.keys[0]?.at(-1);
  const renaming = subject.kind === 'helper' ? renamedHelper(view, old ?? '', name) : renamedValue(view, subject, name);
  if ('problem' in renaming) return renaming;
  // A text may write a name with escapes.
  const other = renaming.edits.find((edit) => view.text(edit.file)?.slice(edit.from, edit.until) !== old);
  return other === undefined ? renaming : { problem: `${placeText(view, other)} writes the name in another way` };
}

/** Why a value or a helper cannot have another name, whatever that is; undefined where it can. */
export const renameProblem = (view: ChartView, subject: Subject): string | undefined =>
  subject.kind === 'helper' ? helperProblem(view, subject.name) : valueProblem(view, subject);

function renamedHelper(view: ChartView, old: string, name: string): Renaming {
  if (name === '' || /["`\\\n\r]/.test(name))
    return { problem: `${JSON.stringify(name)} cannot be the name of a helper` };
  if (helperPlaces(view, name).length > 0) return { problem: `there is a helper ${name} already` };
  return { edits: helperPlaces(view, old).map(({ file, from, until }) => ({ file, from, until, text: name })) };
}

function helperProblem(view: ChartView, name: string): string | undefined {
  for (const file of view.templates()) {
    if (namesInAText(view.mended(file).text, name))
      return `${file} names ${name} in a text, which may be used as a name`;
  }
  for (const { chart, path } of placedCharts(view.chart)) {
    const templates = new Set(chart.templates.map((one) => one.name));
    for (const file of chart.raw) {
      if (templates.has(file.name) || /\.(?:md|txt|tgz)$|^(?:charts|tests)\//.test(file.name)) continue;
      const text = view.text(`${path}/${file.name}`) ?? '';
      if (text.includes('{{') && text.includes(name)) return `${path}/${file.name} names ${name}, which "tpl" may run`;
    }
  }
  return undefined;
}

/** Whether a template has a name as a text that is not there to define or include it. */
function namesInAText(text: string, name: string): boolean {
  if (!text.includes(name)) return false;
  const tokens = new Tokens(text, {
    delimiters: goDelimiters,
    hasBreak: true,
    hasContinue: true,
    isKnown: () => false,
  });
  let before = '';
  for (let index = 0; ; index++) {
    const kind = tokens.kind(index);
    if (kind === 'eof' || kind === 'error') return false;
    const written = text.slice(tokens.position(index), tokens.end(index));
    const isText = kind === 'string' || kind === 'raw-string';
    if (isText && written.slice(1, -1) === name && !namingWords.has(before)) return true;
    if (kind !== 'text') before = written;
  }
}

const namingWords: ReadonlySet<string> = new Set(['define', 'block', 'include', 'template']);

/** Why a key of the values cannot have another name; undefined where it can. */
function valueProblem(view: ChartView, subject: ValueSubject): string | undefined {
  const [keys = [], other] = subject.keys;
  const name = keys.at(-1) ?? '';
  if (other !== undefined || name === anyKey) return 'this place reads one of several values';
  if (keys.includes('global', 1) || isSame(keys, ['global'])) return 'every chart has its globals under this name';
  const ofChart = chartProblem(view, keys);
  if (ofChart !== undefined) return ofChart;
  const { root, reads } = view.reads();
  for (const read of reads) {
    const found = read.keys.filter((one) => fits(one, keys));
    if (found.length === 0) continue;
    if (!view.templates().includes(read.file)) return `a text that "tpl" runs reads ${keys.join('.')}`;
    if (read.keys.length > 1 || !isSame(found[0] as readonly string[], keys))
      return `${placeText(view, read)} reads it together with others`;
  }
  return ancestorProblem(root, keys) ?? handlebarsProblem(view, name);
}

const placeText = (view: ChartView, { file, from }: Location): string =>
  `${file}:${new Lines(view.text(file) ?? '').positionAt(from).line + 1}`;

/** Whether keys may be the same place: `*` is any key. */
const fits = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((key, index) => key === b[index] || key === anyKey || b[index] === anyKey);

/** What Chart.yaml says by the names of values. */
function chartProblem(view: ChartView, keys: readonly string[]): string | undefined {
  if (keys[0] === 'tags') return 'Chart.yaml turns charts on by this name';
  for (const { chart, path } of placedCharts(view.chart)) {
    const above = path.split('/charts/').slice(1);
    const entries = chart.metadata.dependencies ?? [];
    const names = [
      ...chart.dependencies.map((one) => one.metadata.name),
      ...entries.map((one) => one.alias || one.name),
    ];
    if (names.some((one) => isSame(keys, [...above, one]))) return `it is the name of a chart in ${path}`;
    const conditions = entries.flatMap((one) => (one.condition ?? '').split(',').map((each) => each.trim()));
    const imports = entries.flatMap((one) =>
      (one.importValues ?? []).length > 0 ? [[...above, one.alias || one.name]] : [],
    );
    if (conditions.some((one) => one !== '' && isPathWithin([...above, ...one.split('.')], keys)))
      return `${path}/Chart.yaml has it in a condition`;
    if (imports.some((one) => isPathWithin(keys, one))) return `${path}/Chart.yaml imports values of this chart`;
  }
  return undefined;
}

type Part = ReturnType<ChartView['reads']>['root'];

/** What prints or looks at everything in what a key lies in has the key too. */
function ancestorProblem(root: Part, keys: readonly string[]): string | undefined {
  let parts: readonly Part[] = [root];
  for (const [index, key] of keys.entries()) {
    const above = index === 0 ? 'the values' : keys.slice(0, index).join('.');
    if (parts.some(({ isWhole, merged }) => isWhole || merged.length > 0)) return `templates use ${above} as a whole`;
    const isLast = index === keys.length - 1;
    if (isLast && parts.some(({ members }) => members.has(anyKey))) return `templates loop over ${above}`;
    parts = parts.flatMap(({ members }) => [...(members.get(key) ?? []), ...(members.get(anyKey) ?? [])]);
  }
  return undefined;
}

function handlebarsProblem(view: ChartView, name: string): string | undefined {
  const file = view.templates().find((one) => one.endsWith('.hbs') && (view.text(one) ?? '').includes(name));
  return file === undefined ? undefined : `${file} may read it`;
}

function renamedValue(view: ChartView, { keys: [keys = []] }: ValueSubject, name: string): Renaming {
  const taken = [...keys.slice(0, -1), name];
  const { reads } = view.reads();
  const isTaken =
    placesOfKeys(view, taken).length > 0 || reads.some((read) => read.keys.some((one) => fits(one, taken)));
  if (name === '' || isTaken)
    return { problem: name === '' ? 'a key has a name' : `there is a ${taken.join('.')} already` };
  const places = placesOfKeys(view, keys);
  const shared = places.find((place) => isShared(view, place));
  if (shared !== undefined) return { problem: `${placeText(view, shared)} sets it for several places` };
  const used = reads.filter((read) => read.keys.some((one) => isSame(one, keys)));
  const edits: Edit[] = [];
  for (const { file, from, until } of used) {
    const isField = (view.text(file) ?? '')[from - 1] === '.';
    if (isField ? !identifier.test(name) : /["`\\\n\r]/.test(name))
      return {
        problem: `${placeText(view, { file, from, until })} cannot read a key ${JSON.stringify(name)} this way`,
      };
    edits.push({ file, from, until, text: name });
  }
  const ofSchema = schemaEdits(view, keys, name);
  if ('problem' in ofSchema) return ofSchema;
  return {
    edits: [...places.map((place) => ({ ...place, text: keyText(view, place, name) })), ...edits, ...ofSchema.edits],
  };
}

const identifier = /^[\p{L}_][\p{L}\p{Nd}_]*$/u;

/** Whether a key of a values file stands for several: of what an alias or a merge key brings. */
function isShared(view: ChartView, place: Location): boolean {
  const lines = valuesFiles(view).find(({ file }) => file === place.file)?.lines;
  return lines !== undefined && keysIn(lines).filter(({ from }) => from === place.from).length > 1;
}

/** A key as its place in a YAML file has to have it. */
function keyText(view: ChartView, { file, from }: Location, name: string): string {
  const quote = (view.text(file) ?? '')[from - 1];
  if (quote === '"') return JSON.stringify(name).slice(1, -1);
  if (quote === "'") return name.replaceAll("'", "''");
  return plainKey.test(name) && !otherThanText.test(name) ? name : JSON.stringify(name);
}

const plainKey = /^[A-Za-z_][\w./-]*$/;
const otherThanText = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
