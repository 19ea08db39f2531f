import { coalesceTables, coalesceValues, mergeChartValues, mergeTables } from '../../../../src/chart/coalesce.ts';
import { validateAgainstSchema } from '../../../../src/chart/schema/validate.ts';
import { parseSet, typedValue, type ValueGrammar } from '../../../../src/chart/set/parser.ts';
import { lookUpTable, lookUpValue, mergeMaps } from '../../../../src/chart/tables.ts';
import { validateValues } from '../../../../src/chart/validate-values.ts';
import { mergeValues } from '../../../../src/chart/value-options.ts';
import { readValues } from '../../../../src/chart/values-file.ts';
import { GoError, type GoMap, type Value } from '../../../../src/go/value.ts';
import { messageOf } from '../../../../src/support/errors.ts';
import { readYamlMap, writeYaml } from '../../../../src/yaml/index.ts';
import { chartOf } from '../go-charts.ts';
import { comparable, goMap, goValue } from '../go-values.ts';
import {
  bytesOf,
  errorOf,
  fieldsOf,
  isTagged,
  itemsOf,
  pathOf,
  type Recorded,
  type RecordedCall,
  textOf,
} from '../records.ts';
import { inOrder, outcome, outcomeOf, type Twin, type Twins } from '../twin.ts';

const typed: ValueGrammar = { kind: 'text', read: typedValue };
const asText: ValueGrammar = { kind: 'text', read: (text) => text };

/** The values of --set and its like: into a map of their own, or into one that is given. */
const set =
  (grammarOf: (call: RecordedCall) => ValueGrammar): Twin =>
  async (call) => {
    const isInto = call.after !== undefined;
    const error = errorOf(call.results.at(-1));
    const go = outcome(comparable(goValue((isInto ? call.after?.[1] : call.results[0]) ?? null)), error);
    const ours = await outcomeOf(() => {
      const target = isInto ? goMap(call.args[1]) : new Map<string, Value>();
      parseSet(textOf(call.args[0]), target, grammarOf(call));
      return comparable(target);
    });
    return { go, ours };
  };

/** Reads what the test's own reader answered. */
const fromNotes = ({ notes = [] }: RecordedCall): ValueGrammar => ({
  kind: 'text',
  read: (text) => {
    const [value = null, error] = notes.find(({ asked }) => asked === text)?.answers ?? [];
    if (errorOf(error) !== undefined) throw new GoError(errorOf(error) as string);
    return goValue(value);
  },
});

const toYaml: Twin = async ({ args, results }) => ({
  go: outcome(results[0], errorOf(results[1])),
  ours: await outcomeOf(() => {
    const values: GoMap = new Map();
    parseSet(textOf(args[0]), values, typed);
    return writeYaml(values).replace(/\n$/, '');
  }),
});

const flags: Twin = async ({ args, results }) => {
  const options = fieldsOf(args[0]) ?? {};
  const paths = [...itemsOf(options['ValueFiles']), ...itemsOf(options['FileValues'])];
  const withCopies = (text: string): string =>
    paths.reduce((all: string, path) => all.replaceAll(textOf(path), pathOf(path)), text);
  const list = (name: string): string[] => itemsOf(options[name]).map(textOf);
  const error = errorOf(results[1]);
  return {
    go: outcome(comparable(goValue(results[0] ?? null)), error && withCopies(error)),
    ours: await outcomeOf(async () =>
      comparable(
        await mergeValues(
          {
            valueFiles: itemsOf(options['ValueFiles']).map(pathOf),
            setJson: list('JSONValues'),
            set: list('Values'),
            setString: list('StringValues'),
            setFile: list('FileValues'),
            setLiteral: list('LiteralValues'),
          },
          { readStdin: () => Promise.resolve(new Uint8Array()) },
        ),
      ),
    ),
  };
};

const ofChart =
  (work: typeof coalesceValues): Twin =>
  async ({ args, results }) => ({
    go: outcome(comparable(goValue(results[0] ?? null)), errorOf(results[1])),
    ours: await outcomeOf(() => comparable(work(chartOf(args[0]), goMap(args[1])))),
  });

const ofTables =
  (work: (target: GoMap, source: GoMap) => GoMap): Twin =>
  async ({ args, results }) => ({
    go: { value: comparable(goValue(results[0] ?? null)) },
    ours: await outcomeOf(() => comparable(work(goMap(args[0]), goMap(args[1])))),
  });

/** The values of a release: coalesced and checked. */
const renderValues: Twin = async ({ args, results }) => {
  const found = isTagged(results[0]) && results[0].$ === 'map' ? (results[0].v as Record<string, Recorded>) : {};
  const ours = await outcomeOf(async () => {
    const chart = chartOf(args[0]);
    const values = coalesceValues(chart, goMap(args[1]));
    if (args[4] !== true) await validateValues(chart, values);
    return comparable(values);
  });
  return {
    go: outcome(comparable(goMap(found['Values'])), inOrder(errorOf(results[1]))),
    ours: 'error' in ours ? { error: inOrder(ours.error) } : ours,
  };
};

const schema: Twin = async ({ args, results }) => ({
  go: inOrder(errorOf(results[0]) ?? ''),
  ours: inOrder(
    await validateAgainstSchema(bytesOf(args[1]), goMap(args[0]), { notify: () => {}, download: undefined }).catch(
      messageOf,
    ),
  ),
});

const schemas: Twin = async ({ args, results }) => ({
  go: inOrder(errorOf(results[0])),
  ours: inOrder(
    (await outcomeOf(() => validateValues(chartOf(args[0]), goMap(args[1])))).error?.replace(
      /^.*in the following chart\(s\):\n/,
      '',
    ),
  ),
});

const table: Twin = async ({ args, results }) => ({
  go: outcome(comparable(goValue(results[0] ?? null)), errorOf(results[1])),
  ours: await outcomeOf(() => {
    const found = lookUpTable(goMap(args[0]), textOf(args[1]));
    if (found.kind !== 'table') throw new GoError(`${JSON.stringify(found.key)} is not a table`);
    return comparable(found.table);
  }),
});

const value: Twin = async ({ args, results }) => ({
  go: outcome(comparable(goValue(results[0] ?? null)), errorOf(results[1]) && 'no value'),
  ours: await outcomeOf(() => {
    const found = lookUpValue(goMap(args[0]), textOf(args[1]));
    if (found === undefined) throw new GoError('no value');
    return comparable(found);
  }),
});

const reading =
  (read: (text: string) => GoMap): Twin =>
  async ({ args, results }) => ({
    go: outcome(comparable(goValue(results[0] ?? null)), errorOf(results[1])),
    ours: await outcomeOf(() => comparable(read(Buffer.from(bytesOf(args[0])).toString()))),
  });

export const valuesTwins: Twins = {
  'strvals.Parse': set(() => typed),
  'strvals.ParseInto': set(() => typed),
  'strvals.ParseString': set(() => asText),
  'strvals.ParseIntoString': set(() => asText),
  'strvals.ParseJSON': set(() => ({ kind: 'json' })),
  'strvals.ParseLiteral': set(() => ({ kind: 'literal' })),
  'strvals.ParseLiteralInto': set(() => ({ kind: 'literal' })),
  'strvals.ParseFile': set(fromNotes),
  'strvals.ParseIntoFile': set(fromNotes),
  'strvals.ToYAML': toYaml,
  'values.Options.MergeValues': flags,
  'util.CoalesceValues': ofChart(coalesceValues),
  'util.MergeValues': ofChart(mergeChartValues),
  'util.CoalesceTables': ofTables(coalesceTables),
  'util.MergeTables': ofTables(mergeTables),
  'util.ToRenderValuesWithSchemaValidation': renderValues,
  'util.ValidateAgainstSchema': schemas,
  'util.ValidateAgainstSingleSchema': schema,
  'loader.MergeMaps': ofTables(mergeMaps),
  'common.ReadValues': reading((text) => readYamlMap(text)),
  'loader.LoadValues': reading((text) => readValues(Buffer.from(text))),
  'common.Values.Table': table,
  'common.Values.PathValue': value,
};
