import { unescaped } from '../../support/text.ts';
/** What a registry asks for with status 401. */
export type Challenge =
  | { readonly kind: 'basic' }
  | { readonly kind: 'bearer'; readonly realm: string; readonly service: string; readonly scopes: readonly string[] }
  | { readonly kind: 'unknown' };

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const parameter = new RegExp(
  String.raw`[ \t]*(${token})[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|(${token}))[ \t]*(,|$)`,
  'y',
);

/** Reads a WWW-Authenticate header. Go: oras auth.parseChallenge. */
export function parseChallenge(header: string): Challenge {
  const [scheme = ''] = new RegExp(`^${token}`).exec(header) ?? [];
  if (scheme.toLowerCase() === 'basic') return { kind: 'basic' };
  if (scheme.toLowerCase() !== 'bearer') return { kind: 'unknown' };
  const parameters = parametersIn(header.slice(scheme.length));
  return {
    kind: 'bearer',
    realm: parameters.get('realm') ?? '',
    service: parameters.get('service') ?? '',
    scopes: (parameters.get('scope') ?? '').split(' ').filter((scope) => scope !== ''),
  };
}

function parametersIn(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (parameter.lastIndex = 0; ; ) {
    const match = parameter.exec(text);
    if (match === null) return found;
    found.set(match[1] ?? '', (match[2] === undefined ? match[3] : unescaped(match[2])) ?? '');
  }
}

/** The scope of a repository: `repository:charts/demo:pull,push`. */
export const repositoryScope = (repository: string, actions: readonly string[]): string =>
  `repository:${repository}:${[...new Set(actions)].sort().join(',')}`;

/** Scopes without repetition, actions of one resource joined, in order. Go: oras auth.CleanScopes. */
export function cleanScopes(scopes: readonly string[]): string[] {
  const actionsOf = new Map<string, Set<string>>();
  const others = new Set<string>();
  for (const scope of scopes) {
    const at = scope.lastIndexOf(':');
    if (scope.indexOf(':') === at) {
      if (scope !== '') others.add(scope);
      continue;
    }
    const actions = scope
      .slice(at + 1)
      .split(',')
      .filter((action) => action !== '');
    if (actions.length === 0) continue;
    const known = actionsOf.get(scope.slice(0, at)) ?? new Set();
    for (const action of actions) known.add(action);
    actionsOf.set(scope.slice(0, at), known);
  }
  const joined = [...actionsOf].map(
    ([resource, actions]) => `${resource}:${actions.has('*') ? '*' : [...actions].sort().join(',')}`,
  );
  return [...joined, ...others].sort();
}
