import { CsvError, type CsvSchema } from '../csv-schema.ts';

/** Encodings are detected by exact rules. Libraries guess from character frequencies. */
export interface Encoding {
  name: 'UTF-8' | 'UTF-16' | 'Windows-1252';
  /** Name for TextDecoder. */
  label: string;
  mark: number;
}

/** `read` is the number of bytes read so far. */
export interface TextPiece {
  text: string;
  read: number;
}

const UTF_8: Encoding = { name: 'UTF-8', label: 'utf-8', mark: 0 };
const UTF_16_LE: Encoding = { name: 'UTF-16', label: 'utf-16le', mark: 0 };
const UTF_16_BE: Encoding = { name: 'UTF-16', label: 'utf-16be', mark: 0 };
const WINDOWS_1252: Encoding = { name: 'Windows-1252', label: 'windows-1252', mark: 0 };

/** Size of a slice in bytes. */
const SLICE = 128 * 1024;
/** Number of characters that are inspected for UTF-16. A file begins with its column names. */
const SNIFFED = 8;

type Messages = Pick<CsvSchema, 'invalidMessage' | 'errorMessage'>;

/** Detects by the byte order mark, by the NULs of UTF-16, or by checking that the whole file is valid UTF-8. */
export async function detectEncoding(file: Blob, messages: Messages): Promise<Encoding> {
  const head = await readBytes(file.slice(0, 2 * SNIFFED), messages);
  const known = markedEncoding(head) ?? unmarkedUtf16(head);
  if (known !== undefined) return known;
  return (await isUtf8(file, messages)) ? UTF_8 : WINDOWS_1252;
}

function markedEncoding(head: Uint8Array): Encoding | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
  if (begins(0xef, 0xbb, 0xbf)) return { ...UTF_8, mark: 3 };
  if (begins(0xff, 0xfe)) return { ...UTF_16_LE, mark: 2 };
  if (begins(0xfe, 0xff)) return { ...UTF_16_BE, mark: 2 };
  return undefined;
}

/** ASCII in UTF-16 has a NUL in every pair at the same position, and files begin with ASCII. */
function unmarkedUtf16(head: Uint8Array): Encoding | undefined {
  const pairs = Math.floor(head.length / 2);
  const nuls = [0, 0];
  for (let at = 0; at < 2 * pairs; at += 1) if (head[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (even === 0 && head[1] === 0 && 2 * odd >= pairs) return UTF_16_LE;
  if (odd === 0 && head[0] === 0 && 2 * even >= pairs) return UTF_16_BE;
  return undefined;
}

async function isUtf8(file: Blob, messages: Messages): Promise<boolean> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = await readBytes(file.slice(at, at + SLICE), messages);
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

/** The text has no byte order mark. Every pass has the same pieces, which are split between characters. */
export async function* readText(file: Blob, encoding: Encoding, messages: Messages): AsyncGenerator<TextPiece> {
  const decoder = new TextDecoder(encoding.label, { fatal: true, ignoreBOM: true });
  const decode = (bytes?: Uint8Array) => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      const hint = `The file is damaged: it begins as ${encoding.name}, but not all of it is ${encoding.name} text.`;
      throw new CsvError(messages.invalidMessage, hint);
    }
  };
  for (let at = encoding.mark; at < file.size; at += SLICE) {
    const bytes = await readBytes(file.slice(at, at + SLICE), messages);
    yield { text: decode(bytes), read: at + bytes.length };
  }
  const text = decode();
  if (text !== '') yield { text, read: file.size };
}

/** The browser's own message says that a file was changed or removed on disk. */
export async function readBytes(part: Blob, { errorMessage }: Pick<CsvSchema, 'errorMessage'>): Promise<Uint8Array> {
  try {
    return new Uint8Array(await part.arrayBuffer());
  } catch (thrown) {
    throw new CsvError((thrown instanceof Error && thrown.message) || errorMessage);
  }
}
