/** One captured packet, from its link-layer header on. */
export interface CapturedFrame {
  /** Nanoseconds of the kernel's wall clock. */
  readonly wallNs: bigint;
  readonly bytes: DataView;
}

export interface Capture {
  /** Of https://www.tcpdump.org/linktypes.html. */
  readonly linkType: number;
  readonly frames: readonly CapturedFrame[];
}

const headerBytes = 24;
const recordHeaderBytes = 16;
const fractionNs: ReadonlyMap<number, bigint> = new Map([
  [0xa1b2c3d4, 1000n],
  [0xa1b23c4d, 1n],
]);

/**
 * Reads a capture file as tcpdump writes it (draft-ietf-opsawg-pcap; the header's magic tells byte order and resolution).
 * A last record that was cut off, as when its writer was killed, is left out.
 *
 * @throws {RangeError} when it does not begin as a capture file does
 */
export function readCapture(file: Uint8Array): Capture {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  if (view.byteLength < headerBytes) throw new RangeError(`a capture file has ${headerBytes} bytes at least`);
  const littleEndian = fractionNs.has(view.getUint32(0, true));
  const unitNs = fractionNs.get(view.getUint32(0, littleEndian));
  if (unitNs === undefined) throw new RangeError('the file does not begin as a capture file does');
  const frames: CapturedFrame[] = [];
  for (let at = headerBytes; at + recordHeaderBytes <= view.byteLength;) {
    const field = (offset: number) => view.getUint32(at + offset, littleEndian);
    const [seconds, fraction, length] = [field(0), field(4), field(8)];
    const start = at + recordHeaderBytes;
    if (start + length > view.byteLength) break;
    frames.push({
      wallNs: BigInt(seconds) * 1_000_000_000n + BigInt(fraction) * unitNs,
      bytes: new DataView(file.buffer, file.byteOffset + start, length),
    });
    at = start + length;
  }
  // the upper bits of the field say how long a frame check sequence is
  return { linkType: view.getUint32(20, littleEndian) & 0xff_ff, frames };
}
