import { mergeStructs } from './fields.ts';
import { invalid } from './reading.ts';
import { type ReleaseSpec, releaseFields, type StateSpec } from './schema.ts';
import type { Inherit } from './special-fields.ts';

/** A release with what it inherits: its templates in order, the first that says something wins, and lists are joined. */
export function withTemplates(release: ReleaseSpec, state: StateSpec, file: string): ReleaseSpec {
  const inherit = withDefaults(release.inherit ?? [], state.defaultInherit ?? []);
  return inherited({ ...release, inherit }, { state, file, path: [], release: release.name ?? '' });
}

interface Inheriting {
  readonly state: StateSpec;
  readonly file: string;
  /** The templates on the way here. */
  readonly path: readonly string[];
  readonly release: string;
}

function inherited(spec: ReleaseSpec, context: Inheriting): ReleaseSpec {
  const { state, file, path, release } = context;
  const mode = { overrides: false, appends: true };
  let merged: ReleaseSpec = {};
  for (const { template: name = '', except = [] } of spec.inherit ?? []) {
    if (name === '') return spec;
    const on = [...path, name];
    if (path.includes(name)) {
      throw invalid(
        file,
        `unable to load release "${release}" with template: cyclic inheritance detected: ${on.join('->')}`,
      );
    }
    const template = state.templates?.get(name);
    if (template === undefined) {
      throw invalid(file, `release "${spec.name ?? ''}" tried to inherit inexistent release template "${name}"`);
    }
    const source = without(inherited(template, { ...context, path: on }), except, file);
    merged = mergeStructs(releaseFields, merged, source, mode);
  }
  const { inherit: _inherit, ...own } = mergeStructs(releaseFields, merged, spec, mode);
  return own;
}

const exceptable = ['labels', 'values', 'valuesTemplate', 'setTemplate', 'set', 'setString', 'secrets'];

function without(template: ReleaseSpec, except: readonly string[], file: string): ReleaseSpec {
  const unknown = except.find((name) => !exceptable.includes(name));
  if (unknown !== undefined) {
    const allowed = '"set", "setTemplate", "values", "valuesTemplate", "secrets", and "labels"';
    throw invalid(file, `"${unknown}" is not allowed under \`inherit\`. Allowed values are ${allowed}`);
  }
  return Object.fromEntries(Object.entries(template).filter(([name]) => !except.includes(name)));
}

/** The state's `defaultInherit` comes first, where the release does not name the template itself. */
function withDefaults(own: readonly Inherit[], defaults: readonly string[]): readonly Inherit[] {
  if (defaults.length === 0) return own;
  const named = own.filter(({ template = '' }) => template.trim() !== '');
  const known = new Set(named.map(({ template = '' }) => template.trim()));
  const added = [...new Set(defaults)].filter((name) => !known.has(name));
  return [...added.map((template) => ({ template })), ...named];
}
