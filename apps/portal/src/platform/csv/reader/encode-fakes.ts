// Tests write files with this, because browsers only decode.
import type { EncodingName } from '../csv-encodings.ts';
import { createDecoder } from './decoder.ts';

/** Finds the bytes of each character by decoding all of them. Throws for a character that the encoding doesn't have. */
export function encode(name: EncodingName, text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Map<string, number[]>();
  const add = (...candidate: number[]) => {
    try {
      const decode = createDecoder(name);
      const char = decode(Uint8Array.from(candidate)) + decode();
      if ([...char].length === 1 && !bytes.has(char)) bytes.set(char, candidate);
    } catch {
      // These bytes have no meaning.
    }
  };
  for (let first = 0; first < 256; first += 1) add(first);
  if (/JIS|JP|GB|Big5|KR/.test(name))
    for (let first = 0x81; first < 0xff; first += 1)
      for (let second = 0x40; second < 0xff; second += 1) add(first, second);
  return Uint8Array.from(
    [...text].flatMap((char) => {
      const found = bytes.get(char);
      if (found === undefined) throw new RangeError(`${name} has no ${char}`);
      return found;
    }),
  );
}
