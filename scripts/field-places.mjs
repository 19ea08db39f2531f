#!/usr/bin/env node
// How many fields of public charts are traced to a line of a template and to a value, and whether these are right.
// A value is right if the field changes when the value alone is changed.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkoutModules } from './checkout-modules.mjs';

const { values: flags } = parseArgs({
  options: { charts: { type: 'string' }, filter: { type: 'string' }, details: { type: 'boolean' } },
});
if (flags.charts === undefined) {
  console.error('usage: node scripts/field-places.mjs --charts DIR [--filter TEXT] [--details]');
  console.error('DIR holds packed charts (.tgz); their default values are rendered.');
  process.exit(2);
}

const maxObjects = 12;
const release = { name: 'rel', namespace: 'ns', revision: 1, isInstall: true };
const tshelm = await checkoutModules([
  "export { loadChart } from './src/chart/load.ts';",
  "export { deepCopy, nameOfKeys, valueIn } from './src/chart/tables.ts';",
  "export { GoInt } from './src/go/value.ts';",
  "export { withTemplateLines } from './src/change/template-lines.ts';",
  "export { reRendererOf } from './src/render/re-renderer.ts';",
  "export { documentsOf } from './src/render/document-trace.ts';",
  "export { prepareChart, renderRelease } from './src/render/release.ts';",
  "export { addedDetail, TshelmError } from './src/support/errors.ts';",
]);

const totals = { charts: 0, fields: 0, lines: 0, values: 0, named: 0, wrong: 0, longestMs: 0 };
for (const archive of readdirSync(flags.charts).filter((file) => file.endsWith('.tgz'))) {
  if (flags.filter !== undefined && !archive.includes(flags.filter)) continue;
  await measure(archive).catch((error) => console.log(`${archive}: left out: ${error.message.split('\n')[0]}`));
}
const { charts, fields, lines, values, named, wrong, longestMs } = totals;
console.log(`${charts} charts, ${fields} fields: ${lines} with a line, ${values} with a value`);
console.log(`${named} values named, ${wrong} of them do not change the field; the slowest field took ${longestMs} ms`);

async function measure(archive) {
  const config = new Map();
  const prepared = tshelm.prepareChart(await tshelm.loadChart(join(flags.charts, archive)), config);
  const rendered = await tshelm.renderRelease(prepared, config, { release });
  const objects = rendered.manifests.flatMap((manifest) => fieldOf(manifest) ?? []).slice(0, maxObjects);
  totals.charts += 1;
  for (const { manifest, path } of objects) measureField(manifest, path, { prepared, rendered, config, archive });
}

/** An image, a port, a key of a ConfigMap, or the name. */
function fieldOf(manifest) {
  const { object } = manifest;
  const pod = object.spec?.template?.spec;
  if (pod?.containers?.[0]?.image !== undefined)
    return { manifest, path: ['spec', 'template', 'spec', 'containers', 0, 'image'] };
  if (object.kind === 'Service' && object.spec?.ports?.[0] !== undefined)
    return { manifest, path: ['spec', 'ports', 0, 'port'] };
  if (object.kind === 'ConfigMap' && Object.keys(object.data ?? {}).length > 0)
    return { manifest, path: ['data', Object.keys(object.data)[0]] };
  return object.kind === undefined || object.metadata?.name === undefined
    ? undefined
    : { manifest, path: ['metadata', 'name'] };
}

function measureField({ object, source }, path, { prepared, rendered, config, archive }) {
  const { kind, apiVersion, metadata } = object;
  const id = { kind, apiVersion, namespace: metadata.namespace ?? 'ns', name: metadata.name };
  const cause = { code: 'not-ready', reason: 'x' };
  const places = [{ kind: 'field', object: id, template: source, path }];
  const subject = { kind: 'object', id, template: source };
  const problem = { code: cause.code, subject, cause, places, remedies: [], evidence: [] };
  const details = { unready: [], problems: [problem] };
  const failure = new tshelm.TshelmError('wait-failed', { message: 'x', details });
  const startMs = performance.now();
  const { again } = rendered;
  const placed = tshelm.withTemplateLines(failure, () => ({ chart: prepared.chart, again, config }));
  const tookMs = Math.round(performance.now() - startMs);
  const [field] = tshelm.addedDetail(placed, 'problems')[0].places;
  const [line] = field.lines ?? [];
  const names = (field.values ?? []).map(({ keys }) => tshelm.nameOfKeys(keys));
  const isRight = (name) => changesField(name, again, { source, id, path });
  const wrong = names.filter((name) => !isRight(name));
  totals.fields += 1;
  totals.lines += line === undefined ? 0 : 1;
  totals.values += names.length > 0 ? 1 : 0;
  totals.named += names.length;
  totals.wrong += wrong.length;
  totals.longestMs = Math.max(totals.longestMs, tookMs);
  const at = line === undefined ? 'no line' : `${line.file}:${line.line}`;
  const judged = names.map((name) => (wrong.includes(name) ? `${name} (WRONG)` : name)).join(', ');
  if (flags.details) console.log([archive, `${kind}/${id.name}`, path.join('.'), at, judged || 'no value'].join('\t'));
  else if (wrong.length > 0) console.log(`${archive}: ${kind}/${id.name} ${path.join('.')}: ${judged}`);
}

/** Whether the field says something else, or is gone, once the value is another one. */
function changesField(name, again, field) {
  const keys = name.split(/\.(?![^[]*\])|\[(\d+)\]/).filter((key) => key !== undefined && key !== '');
  const before = readField(again, again.values, field);
  const ways = keyPaths(again.values, keys);
  const isSet = (found) => tshelm.valueIn(again.values, found) !== undefined;
  const outcomes = (ways.some(isSet) ? ways.filter(isSet) : ways).flatMap((found) =>
    variantsOf(tshelm.valueIn(again.values, found)).map((other) => {
      try {
        return readField(again, changed(again, found, other), field) !== before;
      } catch {
        // With that value the chart does not render: that tells nothing.
        return undefined;
      }
    }),
  );
  return outcomes.includes(true) || outcomes.every((outcome) => outcome === undefined);
}

/** A key may have dots in it: those ways through the values that its name may stand for. */
function keyPaths(value, parts) {
  if (parts.length === 0) return [[]];
  return parts.flatMap((_, index) => {
    const key = parts.slice(0, index + 1).join('.');
    const isThere = value instanceof Map ? value.has(key) : Array.isArray(value) && index === 0;
    const isLast = index === parts.length - 1;
    if (!isThere && !isLast) return [];
    const inner = value instanceof Map ? value.get(key) : value?.[key];
    return keyPaths(inner, parts.slice(index + 1)).map((rest) => [key, ...rest]);
  });
}

function readField(again, values, { source, id, path }) {
  const { chart } = again;
  const trace = tshelm.reRendererOf(chart, { release, values }).trace(source);
  const documents = trace === undefined ? [] : tshelm.documentsOf(trace);
  const isSame = ({ object }) => object?.kind === id.kind && object?.metadata?.name === id.name;
  const found = documents.find(isSame)?.object;
  return JSON.stringify(path.reduce((at, part) => at?.[part], found));
}

function changed({ chart, values }, keys, value) {
  const copy = tshelm.deepCopy(values);
  const names = (one) =>
    one.dependencies.flatMap((child) => [
      [child.metadata.name],
      ...names(child).map((below) => [child.metadata.name, ...below]),
    ]);
  for (const owner of keys[0] === 'global' ? [[], ...names(chart)] : [[]]) {
    const whole = [...owner, ...keys];
    let holder = copy;
    for (const key of whole.slice(0, -1)) {
      const next = holder instanceof Map ? holder.get(key) : holder[key];
      if (!(next instanceof Map) && !Array.isArray(next)) {
        if (owner.length > 0) break;
        holder.set(key, new Map());
      }
      holder = holder instanceof Map ? holder.get(key) : holder[key];
    }
    if (holder instanceof Map) holder.set(whole.at(-1), value);
    else if (Array.isArray(holder)) holder[whole.at(-1)] = value;
  }
  return copy;
}

function variantsOf(value) {
  if (typeof value === 'boolean') return [!value];
  if (typeof value === 'number') return [value + 1];
  if (value instanceof tshelm.GoInt) return [new tshelm.GoInt(value.type, value.value + 1n)];
  if (value instanceof Map) return [new Map(), new Map([...value, ['added', 'x']])];
  if (Array.isArray(value)) return [[], [...value, 'x']];
  if (value === null || value === undefined) return ['x', 'v3.1.0', true, new Map([['x', 'x']])];
  return [
    `${value}x`,
    `x${value}`,
    value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10)),
    '',
    'true',
  ];
}
