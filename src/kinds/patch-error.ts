/** A patch that cannot be carried out: it is not well formed, or an operation does not fit the object. */
export class PatchError extends Error {
  readonly kind: 'malformed' | 'inapplicable';

  constructor(kind: PatchError['kind'], message: string) {
    super(message);
    this.name = 'PatchError';
    this.kind = kind;
  }
}
