/** An expression that cannot be compiled, or not be evaluated. The message is cel-go's where it has one. */
export class CelError extends Error {
  /** The name that the expression uses and nobody declares. */
  readonly unknownName: string | undefined;

  constructor(message: string, options: ErrorOptions & { readonly unknownName?: string | undefined } = {}) {
    super(message, options);
    this.unknownName = options.unknownName;
  }
}

/** What cel-go says where no function takes these types. */
export const noSuchOverload = (): CelError => new CelError('no such overload');
