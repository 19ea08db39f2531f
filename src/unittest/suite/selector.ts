import type { Value } from '../../go/value.ts';
import type { YamlNode } from '../../yaml/index.ts';
import type { DocumentSelector } from '../documents/selector.ts';
import { anything, readStruct, text, truth } from './fields.ts';

const noSelector: DocumentSelector = { path: '', value: null, matchMany: false, skipEmptyTemplates: false };

/** The selector of a test. Throws SuiteError. */
export const readSelector = (node: YamlNode, isStrict: boolean): DocumentSelector => ({
  ...noSelector,
  ...readStruct<{ readonly [Name in keyof DocumentSelector]: DocumentSelector[Name] | Value } & DocumentSelector>(
    node,
    { path: text, value: anything, matchMany: truth, skipEmptyTemplates: truth },
    { type: 'valueutils.DocumentSelector', isStrict },
  ),
});
