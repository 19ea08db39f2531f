import { GoObject } from './value.ts';

/** A Go complex128: what the template literals `1i` and `1+2i` stand for. */
export class GoComplex extends GoObject {
  override readonly goType = 'complex128';
  override readonly goKind = 'complex128';
  readonly real: number;
  readonly imaginary: number;

  constructor(real: number, imaginary: number) {
    super();
    this.real = real;
    this.imaginary = imaginary;
  }

  override isTrue(): boolean {
    return this.real !== 0 || this.imaginary !== 0;
  }
}
