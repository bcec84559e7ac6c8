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

/** Makes a buffer of `takeBuffer` the next one's to take. Nothing may read it any more. */
export function giveBack(buffer: Buffer): void {
  if (buffer.length <= LARGEST && spare.length < MOST) spare.push(buffer);
}
