/** Options of MiniSearch. */
export const indexFields: { readonly fields: readonly string[]; readonly storeFields: readonly string[] };
export const searchOptions: object;
