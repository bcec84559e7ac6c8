import type { EncodingName } from '../csv-encodings.ts';
import { CsvError, type CsvSchema } from '../csv-schema.ts';
import { createDecoder } from './decoder.ts';

export interface Encoding {
  name: EncodingName;
  /** Length of the byte order mark. */
  mark: number;
  /** The encoding was guessed, and another one is nearly as plausible. */
  isWeak: boolean;
}

/** `read` is the number of bytes read so far. */
export interface TextPiece {
  text: string;
  read: number;
}

/** Size of a slice in bytes. */
const SLICE = 128 * 1024;
/** Number of characters that are inspected for UTF-16. A file begins with its column names. */
const SNIFFED = 8;
/** Number of bytes that are enough to guess from. */
const SAMPLE = 16 * 1024;
/** Longer cells are cut in the sample. */
const SAMPLE_CELL = 1024;

type Messages = Pick<CsvSchema, 'invalidMessage' | 'errorMessage'>;

const toEncoding = (name: EncodingName, mark = 0): Encoding => ({ name, mark, isWeak: false });

/**
 * Detects Unicode by the byte order mark, by the NULs of UTF-16, or by checking that the whole file is valid UTF-8. Other
 * encodings are guessed from the text.
 */
export async function detectEncoding(file: Blob, messages: Messages): Promise<Encoding> {
  const head = await readBytes(file.slice(0, 2 * SNIFFED), messages);
  const known = getMarkedEncoding(head) ?? getUnmarkedUtf16(head);
  if (known !== undefined) return known;
  return (await isValid(file, 'UTF-8', messages)) ? toEncoding('UTF-8') : guess(file, messages);
}

/** The encoding that the user chose, without its byte order mark. */
export async function getChosenEncoding(file: Blob, name: EncodingName, messages: Messages): Promise<Encoding> {
  const marked = getMarkedEncoding(await readBytes(file.slice(0, 3), messages));
  return toEncoding(name, marked?.name === name ? marked.mark : 0);
}

function getMarkedEncoding(head: Uint8Array): Encoding | undefined {
  const begins = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte);
  if (begins(0xef, 0xbb, 0xbf)) return toEncoding('UTF-8', 3);
  if (begins(0xff, 0xfe)) return toEncoding('UTF-16 LE', 2);
  if (begins(0xfe, 0xff)) return toEncoding('UTF-16 BE', 2);
  return undefined;
}

/** ASCII in UTF-16 has a NUL in every pair at the same position, and files begin with ASCII. */
function getUnmarkedUtf16(head: Uint8Array): Encoding | undefined {
  const pairs = Math.floor(head.length / 2);
  const nuls = [0, 0];
  for (let at = 0; at < 2 * pairs; at += 1) if (head[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = nuls;
  if (even === 0 && head[1] === 0 && 2 * odd >= pairs) return toEncoding('UTF-16 LE');
  if (odd === 0 && head[0] === 0 && 2 * even >= pairs) return toEncoding('UTF-16 BE');
  return undefined;
}

async function isValid(file: Blob, name: EncodingName, messages: Messages): Promise<boolean> {
  const decode = createDecoder(name);
  for (let at = 0; at < file.size; at += SLICE) {
    const bytes = await readBytes(file.slice(at, at + SLICE), messages);
    if (!succeeds(() => decode(bytes))) return false;
  }
  return succeeds(() => decode());
}

function succeeds(decode: () => string): boolean {
  try {
    decode();
    return true;
  } catch {
    return false;
  }
}

const NO_GUESS = { names: [], isWeak: true } as const;

/** The most plausible encoding in which the whole file is valid. Any bytes are valid Windows-1252. */
async function guess(file: Blob, messages: Messages): Promise<Encoding> {
  // The library's data is large, and few files need it.
  const { guessEncoding } = await import('./guess-encoding.ts');
  const sample = await readSample(file, messages);
  // Damaged UTF-8 isn't text in any other encoding, so a guess would be chance.
  const isDamaged = await isValid(new Blob([sample]), 'UTF-8', messages);
  const { names, isWeak } = isDamaged ? NO_GUESS : guessEncoding(sample, navigator.language);
  for (const [at, name] of names.entries())
    if (await isValid(file, name, messages)) return { name, mark: 0, isWeak: isWeak || at > 0 };
  return { name: 'Windows-1252', mark: 0, isWeak: true };
}

const ENDS_OF_CELLS = new Set(Array.from(',;\t\r\n"', (end) => end.charCodeAt(0)));

/** Cells with bytes beyond ASCII: names and notes, but no headers, numbers and addresses. They end at the same bytes in any encoding. */
async function readSample(file: Blob, messages: Messages): Promise<Uint8Array<ArrayBuffer>> {
  const sample: number[] = [];
  let cell: number[] = [];
  for (let from = 0; from < file.size && sample.length < SAMPLE; from += SLICE) {
    for (const byte of await readBytes(file.slice(from, from + SLICE), messages)) {
      if (!ENDS_OF_CELLS.has(byte)) {
        if (cell.length < SAMPLE_CELL) cell.push(byte);
        continue;
      }
      if (cell.some((one) => one > 127)) sample.push(...cell, byte);
      cell = [];
    }
  }
  if (cell.some((one) => one > 127)) sample.push(...cell);
  return Uint8Array.from(sample);
}

/** The text has no byte order mark. Every pass has the same pieces, which are split between characters. */
export async function* readText(file: Blob, { name, mark }: Encoding, messages: Messages): AsyncGenerator<TextPiece> {
  const decoder = createDecoder(name);
  const decode = (bytes?: Uint8Array) => {
    try {
      return decoder(bytes);
    } catch {
      const hint =
        mark > 0
          ? `The file is damaged: it begins as ${name}, but not all of it is ${name} text.`
          : `Not all of the file is ${name} text.`;
      throw new CsvError(messages.invalidMessage, hint);
    }
  };
  for (let at = mark; at < file.size; at += SLICE) {
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
