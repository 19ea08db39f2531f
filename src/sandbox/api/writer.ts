import { apiVersionOf, type Kind } from '../kinds/kind.ts';
import type { Writer } from '../patches/managed-fields.ts';
import { timestamp } from '../resource.ts';
import type { Environment, WriteOptions } from './environment.ts';

/** Who writes, as managedFields records it. */
export const writerOf = ({ clock }: Environment, kind: Kind, options: WriteOptions): Writer => ({
  manager: options.fieldManager,
  apiVersion: apiVersionOf(kind),
  subresource: options.subresource ?? '',
  time: timestamp(clock.now()),
});
