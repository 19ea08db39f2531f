import type { Json } from '../../support/json.ts';
import type { Resource } from '../resource.ts';

/** A column of `kubectl get`. Priority 1 shows with `-o wide` only. */
export interface Column {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'date' | 'boolean' | 'number';
  readonly priority: number;
  cell(object: Resource, now: number): Json;
}
