import { renderChart } from '../../../../src/render/engine.ts';
import { engineFunctions } from '../../../../src/render/engine-functions.ts';
import { environmentOf } from '../../../../src/render/environment.ts';
import { boundFunctions, fixedFunctions } from '../../../../src/render/functions/table.ts';
import { TemplateSet } from '../../../../src/template/template-set.ts';
import { chartOf } from '../go-charts.ts';
import { goMap, goValue, NoCounterpart } from '../go-values.ts';
import { bytesOf, errorOf, fieldsOf, isTagged, itemsOf, plain, type Recorded, textOf } from '../records.ts';
import { type Outcome, outcome, outcomeOf, type Twin, type Twins } from '../twin.ts';

const { lookup } = engineFunctions({});
const functions = { ...boundFunctions(environmentOf({})), ...(lookup && { lookup }) };

const text = (value: Recorded | undefined): string => Buffer.from(bytesOf(value)).toString('latin1');

const isOfChance = /rand|uuid|bcrypt|shuffle|gen[A-Z]|date_in_zone/;

/** What of an answer is no chance: what is in a PEM text, or where a text has letters and digits; of a long one nothing. */
function shape({ value, ...rest }: Outcome, source: string): unknown {
  if (typeof value !== 'string') return rest;
  const blocks = value.match(/-----BEGIN [A-Z ]+-----/g);
  return {
    ...rest,
    value:
      blocks ??
      (value.length > 300
        ? 'long'
        : /randInt/.test(source)
          ? typeof value
          : /rand|shuffle/.test(source)
            ? value.length
            : value.replace(/[A-Za-z0-9+/.=]/g, 'x')),
  };
}

/** One template of Sprig's tests or of Helm's: its name, those before it, itself where it is parsed, its data. */
const template: Twin = async ({ args, results }) => {
  const [name, before, source, data = null] = args;
  const set = new TemplateSet({ functions, base: fixedFunctions, missingKey: 'default' });
  const ours = await outcomeOf(() => {
    for (const pair of itemsOf(before)) {
      const [title, content] = itemsOf(pair);
      set.parse(textOf(title), Buffer.from(bytesOf(content)).toString());
    }
    if (source !== null) {
      set.parse(textOf(name), Buffer.from(bytesOf(source)).toString());
      return '';
    }
    return Buffer.from(set.execute(textOf(name), goValue(data))).toString('latin1');
  });
  const go = outcome(source === null ? text(results[0]) : '', errorOf(results[1]));
  const sources = JSON.stringify(before);
  return isOfChance.test(sources) ? { go: shape(go, sources), ours: shape(ours, sources) } : { go, ours };
};

/** What every template of a chart printed. */
const render: Twin = async ({ args, results }) => {
  const engine = fieldsOf(args[0]) ?? {};
  const given = ((isTagged(args[3]) ? args[3].v : args[3]) ?? {}) as Record<string, Recorded>;
  if (engine['EnableDNS'] === true) throw new NoCounterpart('asks a name server');
  const release = plain(given['Release'] ?? null) as Record<string, unknown> | null;
  const ours = await outcomeOf(() => {
    const { files } = renderChart(chartOf(args[2]), {
      values: goMap(given['Values']),
      release: {
        name: String(release?.['Name'] ?? ''),
        namespace: String(release?.['Namespace'] ?? ''),
        revision: Number(release?.['Revision'] ?? 1),
        isInstall: release?.['IsInstall'] !== false,
      },
      strict: engine['Strict'] === true,
      lintMode: engine['LintMode'] === true,
    });
    return Object.fromEntries(files);
  });
  if (ours.error?.includes('exceeded maximum template depth') === true)
    throw new NoCounterpart('needs the stack that the command line asks Node for');
  return { go: outcome(plain(results[0]), errorOf(results[1])), ours };
};

export const templateTwins: Twins = { template, 'engine.Engine.RenderWithContext': render };
