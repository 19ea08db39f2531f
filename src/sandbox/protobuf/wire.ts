/** Reads protobuf's wire format: numbers as bigint, everything else as its bytes. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  *fields(): Generator<[field: number, value: Buffer | bigint]> {
    while (this.#at < this.#bytes.length) {
      const tag = Number(this.#varint());
      yield [tag >>> 3, this.#value(tag & 7)];
    }
  }

  #value(wireType: number): Buffer | bigint {
    switch (wireType) {
      case 0:
        return this.#varint();
      case 1:
        return this.#take(8);
      case 2:
        return this.#take(Number(this.#varint()));
      case 5:
        return this.#take(4);
      default:
        throw new RangeError(`protobuf: wire type ${wireType}`);
    }
  }

  #varint(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#take(1)[0] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('protobuf: a number is too long');
  }

  #take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new RangeError('protobuf: the message ends too early');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}
