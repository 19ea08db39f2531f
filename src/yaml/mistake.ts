/** What is wrong in a YAML text, where people make that mistake often. */
export type YamlMistake =
  | 'yaml-character'
  | 'yaml-tab'
  | 'yaml-indent'
  | 'yaml-list-item'
  | 'yaml-colon-missing'
  | 'yaml-nested-mapping'
  | 'yaml-list-in-line'
  | 'yaml-quote-open'
  | 'yaml-quote-open-at-document'
  | 'yaml-escape'
  | 'yaml-bracket-open'
  | 'yaml-anchor-unknown'
  | 'yaml-key-twice'
  | 'yaml-no-map';

/** By the texts with which the scanner and the parser (scannerc.go, parserc.go) fail. */
export const yamlMistakes: ReadonlyMap<string, YamlMistake> = new Map<string, YamlMistake>([
  ['found character that cannot start any token', 'yaml-character'],
  ['found a tab character that violates indentation', 'yaml-tab'],
  ['found a tab character where an indentation space is expected', 'yaml-tab'],
  ['did not find expected key', 'yaml-indent'],
  ["did not find expected '-' indicator", 'yaml-list-item'],
  ["could not find expected ':'", 'yaml-colon-missing'],
  ['mapping values are not allowed in this context', 'yaml-nested-mapping'],
  ['block sequence entries are not allowed in this context', 'yaml-list-in-line'],
  ['found unexpected end of stream', 'yaml-quote-open'],
  ['found unexpected document indicator', 'yaml-quote-open-at-document'],
  ['found unknown escape character', 'yaml-escape'],
  ["did not find expected ',' or ']'", 'yaml-bracket-open'],
  ["did not find expected ',' or '}'", 'yaml-bracket-open'],
  ['did not find expected node content', 'yaml-bracket-open'],
]);
