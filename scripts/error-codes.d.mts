/** One code of a failure, as docs/errors.md shows it. */
export interface DocumentedCode {
  readonly code: string;
  readonly meaning: string;
  readonly wayOut: string;
  readonly details: string;
  readonly file: string;
}
export function errorCodes(): DocumentedCode[];
/** A detail that any failure may have. */
export function addedDetails(): { readonly name: string; readonly type: string; readonly meaning: string }[];
export function errorPage(): string;
export function errorMeanings(): string;
