import { pathText } from '../manifest/field-path.ts';
import type { RefusalFact } from '../problem/refusal-fact.ts';
import { unreachable } from '../support/errors.ts';
import { quoted } from './quote.ts';

/** What the API server refuses, in one line. */
export function refusalText(fact: RefusalFact): string {
  switch (fact.code) {
    case 'refused':
      return quoted(fact.words);
    case 'not-sent':
      return 'it was not sent';
    case 'left-over':
      return fact.words === undefined
        ? `an earlier run has left it, and the API server refuses the change of ${fact.fields.join(', ')}`
        : `${quoted(fact.words)}: an earlier run has left it`;
    case 'kind-unknown':
      return `no matches for kind "${fact.kind}" in version "${fact.apiVersion}"`;
    case 'object-malformed':
      return fact.parts.map(({ path, reason }) => `${path.length === 0 ? 'it' : pathText(path)} ${reason}`).join('; ');
    case 'name-missing':
      return fact.isEmpty ? `${pathText(fact.path)} is empty` : `it has no ${pathText(fact.path)}`;
    default:
      return unreachable(fact);
  }
}
