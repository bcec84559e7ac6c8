/** Splits bytes into chunks of a size. Only the last one may be shorter, and an empty source has one empty chunk. */
export async function* cut(
  source: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<{ chunk: Buffer; isLast: boolean }> {
  let held: Buffer[] = [];
  let length = 0;
  for await (const bytes of source) {
    held.push(bytes);
    length += bytes.length;
    if (length <= size) continue;
    const all = Buffer.concat(held);
    let from = 0;
    for (; length - from > size; from += size) yield { chunk: all.subarray(from, from + size), isLast: false };
    held = [all.subarray(from)];
    length -= from;
  }
  yield { chunk: Buffer.concat(held), isLast: true };
}
