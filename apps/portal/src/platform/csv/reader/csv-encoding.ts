import { CsvError } from '../csv-error.ts';
import type { CsvShape } from '../csv-shape.ts';

/** How the letters of a file are written. */
export interface Encoding {
  name: 'UTF-8' | 'UTF-16' | 'Windows-1252';
  /** As TextDecoder calls it. */
  label: string;
  /** Bytes of the mark that the file begins with. */
  mark: number;
}

/** A piece of the file as text, and the bytes read so far. */
export interface TextPiece {
  text: string;
  read: number;
}

const UTF_8: Encoding = { name: 'UTF-8', label: 'utf-8', mark: 0 };
const UTF_16_LE: Encoding = { name: 'UTF-16', label: 'utf-16le', mark: 0 };
const UTF_16_BE: Encoding = { name: 'UTF-16', label: 'utf-16be', mark: 0 };
const WINDOWS_1252: Encoding = { name: 'Windows-1252', label: 'windows-1252', mark: 0 };

/** Bytes that are read at once. */
const SLICE = 128 * 1024;
/** A file begins with the names of its columns: so many characters of them tell UTF-16. */
const SNIFFED = 8;

type Reading = Pick<CsvShape, 'refusal' | 'trouble'>;

/** By the mark of the file, by the NULs that UTF-16 has, or by whether all of it is UTF-8 (design §5). */
export async function detectEncoding(file: Blob, reading: Reading): Promise<Encoding> {
  const head = await readBytes(file.slice(0, 2 * SNIFFED), reading);
  const known = markedEncoding(head) ?? unmarkedUtf16(head);
  if (known !== undefined) return known;
  return (await isUtf8(file, reading)) ? UTF_8 : WINDOWS_1252;
}

function markedEncoding(head: Uint8Array): Encoding | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
  if (begins(0xef, 0xbb, 0xbf)) return { ...UTF_8, mark: 3 };
  if (begins(0xff, 0xfe)) return { ...UTF_16_LE, mark: 2 };
  if (begins(0xfe, 0xff)) return { ...UTF_16_BE, mark: 2 };
  return undefined;
}

/** ASCII in UTF-16 has a NUL in every pair, always on the same side, and files begin with ASCII. */
function unmarkedUtf16(head: Uint8Array): Encoding | undefined {
  const pairs = Math.floor(head.length / 2);
  const nuls = [0, 0];
  for (let at = 0; at < 2 * pairs; at += 1) if (head[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (even === 0 && head[1] === 0 && 2 * odd >= pairs) return UTF_16_LE;
  if (odd === 0 && head[0] === 0 && 2 * even >= pairs) return UTF_16_BE;
  return undefined;
}

async function isUtf8(file: Blob, reading: Reading): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = await readBytes(file.slice(at, at + SLICE), reading);
    if (!decodes(() => decoder.decode(bytes, { stream: true }))) return false;
  }
  return decodes(() => decoder.decode());
}

function decodes(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

/** The text of a file in pieces, without its mark: the same pieces at each reading, cut between characters. */
export async function* readText(file: Blob, encoding: Encoding, reading: Reading): AsyncGenerator<TextPiece> {
  const decoder = new TextDecoder(encoding.label, { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      const hint = `The file is damaged: it begins as ${encoding.name}, but not all of it is ${encoding.name} text.`;
      throw new CsvError(reading.refusal, hint);
    }
  };
  for (let at = encoding.mark; at < file.size; at += SLICE) {
    const bytes = await readBytes(file.slice(at, at + SLICE), reading);
    yield { text: decode(bytes), read: at + bytes.length };
  }
  const text = decode();
  if (text !== '') yield { text, read: file.size };
}

/** Bytes of a part of a file; one that has changed or vanished on the disk says so itself (spec §5). */
export async function readBytes(part: Blob, { trouble }: Pick<CsvShape, 'trouble'>): Promise<Uint8Array> {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch (thrown) {
    throw new CsvError((thrown instanceof Error && thrown.message) || trouble);
  }
}
