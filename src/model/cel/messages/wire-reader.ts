/* eslint-disable no-bitwise -- The protobuf wire format is made of bits. */
/** A varint, a fixed number, or bytes. */
export type Content = bigint | number | Uint8Array;

/** Reads the protobuf wire format; undefined for bytes that are none. */
export class WireReader {
  private at = 0;

  public constructor(private readonly bytes: Uint8Array) {}

  public get atEnd(): boolean {
    return this.at >= this.bytes.length;
  }

  public varint(): bigint | undefined {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      if (this.atEnd) return undefined;
      const byte = this.bytes[this.at++];
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  }

  public content(wireType: number): Content | undefined {
    switch (wireType) {
      case 0: return this.varint();
      case 1: return this.fixed(8);
      case 2: {
        const length = this.varint();
        return length === undefined || length > BigInt(this.bytes.length) ? undefined : this.take(Number(length));
      }
      case 5: return this.fixed(4);
      default: return undefined;
    }
  }

  private fixed(length: 4 | 8): number | undefined {
    const taken = this.take(length);
    if (taken === undefined) return undefined;
    const view = new DataView(taken.buffer, taken.byteOffset, length);
    return length === 8 ? view.getFloat64(0, true) : view.getFloat32(0, true);
  }

  private take(length: number): Uint8Array | undefined {
    if (this.at + length > this.bytes.length) return undefined;
    this.at += length;
    return this.bytes.subarray(this.at - length, this.at);
  }
}
