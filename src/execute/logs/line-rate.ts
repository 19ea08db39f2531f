const windowMs = 1000;

/** Lets at most so many lines pass in a second, and counts the others. */
export class LineRate {
  readonly #most: number;
  #windowFrom = Number.NEGATIVE_INFINITY;
  #passed = 0;
  #omitted = 0;

  constructor(most: number) {
    this.#most = most;
  }

  admits(nowMs: number): boolean {
    if (nowMs - this.#windowFrom >= windowMs) [this.#windowFrom, this.#passed] = [nowMs, 0];
    const isAdmitted = this.#passed < this.#most;
    if (isAdmitted) this.#passed += 1;
    else this.#omitted += 1;
    return isAdmitted;
  }

  /** How many lines were left out since this was asked last. */
  takeOmitted(): number {
    const omitted = this.#omitted;
    this.#omitted = 0;
    return omitted;
  }
}
