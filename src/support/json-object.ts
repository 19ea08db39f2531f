/** An object of JSON or YAML whose members nobody has checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object; {} in the place of anything else. */
export const asObject = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});
