/** Each page with the table of migrations as it must be: its path and its text. */
export function migrationPages(): (readonly [string, string])[];
