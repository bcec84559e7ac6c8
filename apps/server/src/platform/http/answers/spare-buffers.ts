// Buffers of large answers are used again: they are outside V8's heap, which is marked as a whole after some 30 MB of new ones, for
// 50 to 100 ms.

const SMALLEST = 64 * 1024;
const LARGEST = 4 * 1024 * 1024;
const MOST = 4;

const spare: Buffer[] = [];

/** A buffer of at least that size, with any content. */
export function takeBuffer(size: number): Buffer {
  const at = spare.findIndex(({ length }) => length >= size);
  const [found] = at < 0 ? [] : spare.splice(at, 1);
  return found ?? Buffer.allocUnsafe(Math.max(SMALLEST, 2 ** Math.ceil(Math.log2(size))));
}

/** Returns a buffer of `takeBuffer`, which nothing may read from now on. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length <= LARGEST && spare.length < MOST) spare.push(buffer);
}

/** Bytes that are being written, in a buffer of `takeBuffer`. */
export interface Output {
  bytes: Buffer;
  end: number;
}

/** Makes room for so many bytes. */
export function reserve(out: Output, more: number): void {
  if (out.bytes.length - out.end >= more) return;
  const larger = takeBuffer(Math.max(out.bytes.length * 2, out.end + more));
  out.bytes.copy(larger, 0, 0, out.end);
  giveBack(out.bytes);
  out.bytes = larger;
}
