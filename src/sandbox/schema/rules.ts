import { isJsonObject, type Json } from '../../support/json.ts';

/** Whether a CRD, or a schema of one, has rules anywhere. */
export const hasRules = (schema: Json | undefined): boolean =>
  Array.isArray(schema)
    ? schema.some(hasRules)
    : isJsonObject(schema) && ('x-kubernetes-validations' in schema || Object.values(schema).some(hasRules));
