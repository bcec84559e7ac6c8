import { CsvError, type CsvSchema } from '../csv-schema.ts';

const WORKBOOK_HINT = 'In Excel, choose Save As and the type CSV UTF-8, then upload that file.';
const SHEET_HINT = 'Save it as CSV UTF-8, then upload that file.';
const OTHER_HINT = 'Choose a file that ends in .csv.';

/** No CSV file has these extensions. Files with another extension, or none, are judged by their content. */
const WORKBOOKS = /\.(xlsx|xlsm|xlsb|xltx|xls)$/i;
const SHEETS = /\.(ods|fods|numbers|gsheet)$/i;
const OTHERS =
  /\.(pdf|docx?|odt|rtf|pages|pptx?|odp|key|zip|gz|7z|rar|tar|json|xml|html?|vcf|eml|exe|dmg|png|jpe?g|gif|webp|heic|svg|bmp|tiff?|mp3|mp4|mov|wav|avi)$/i;
const TEXTS = /\.(csv|tsv|tab|txt)$/i;
const OTHER_KINDS = /^(image|audio|video|font)\/|^application\/(pdf|zip|json|gzip|rtf)$/;

// biome-ignore-start lint/suspicious/noControlCharactersInRegex: bytes of binary files
/** First bytes of files that aren't text, one character for each byte, and what such a file is. */
const SIGNATURES: readonly { bytes: RegExp; kind: string; hint?: string }[] = [
  { bytes: /^PK\x03\x04.{26}mimetypeapplication\/vnd\.oasis/s, kind: 'an OpenDocument file', hint: SHEET_HINT },
  {
    bytes: /^PK\x03\x04.{26}(\[Content_Types\]|_rels\/|docProps\/|xl\/)/s,
    kind: 'an Excel workbook',
    hint: WORKBOOK_HINT,
  },
  { bytes: /^PK(\x03\x04|\x05\x06)/, kind: 'a ZIP archive' },
  { bytes: /^\xD0\xCF\x11\xE0/, kind: 'an Excel workbook', hint: WORKBOOK_HINT },
  { bytes: /^\x1F\x8B/, kind: 'a GZIP archive' },
  { bytes: /^7z\xBC\xAF\x27\x1C/, kind: 'a 7-Zip archive' },
  { bytes: /^Rar!\x1A\x07/, kind: 'a RAR archive' },
  { bytes: /^.{257}ustar/s, kind: 'a TAR archive' },
  { bytes: /^%PDF/, kind: 'a PDF document' },
  { bytes: /^\{\\rtf/, kind: 'an RTF document' },
  { bytes: /^\x89PNG/, kind: 'a picture (PNG)' },
  { bytes: /^\xFF\xD8\xFF/, kind: 'a picture (JPEG)' },
  { bytes: /^GIF8[79]a/, kind: 'a picture (GIF)' },
  { bytes: /^RIFF.{4}WEBP/s, kind: 'a picture (WebP)' },
  { bytes: /^.{4}ftyp(heic|heix|mif1|avif)/s, kind: 'a picture (HEIC or AVIF)' },
  { bytes: /^BM.{4}\0{4}/s, kind: 'a picture (BMP)' },
  { bytes: /^(II\*\0|MM\0\*)/, kind: 'a picture (TIFF)' },
];
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: bytes of binary files

/** Number of first bytes that `refuseWrongType` needs. */
export const TYPE_BYTES = 512;

/** Refuses a file that clearly isn't CSV by its name, type or first bytes. Throws CsvError. */
export function refuseWrongType(
  { name, type }: Pick<File, 'name' | 'type'>,
  head: Uint8Array,
  { invalidMessage }: Pick<CsvSchema, 'invalidMessage'>,
): void {
  const hint = hintByName(name, type);
  if (hint !== undefined) throw new CsvError(`${name} is not a CSV file.`, hint);
  const found = SIGNATURES.find(({ bytes }) => bytes.test(String.fromCharCode(...head)));
  if (found === undefined) return;
  // The name says CSV, so asking for a file that ends in .csv would not help.
  throw new CsvError(
    invalidMessage,
    `It seems to be ${found.kind}.${found.hint === undefined ? '' : ` ${found.hint}`}`,
  );
}

function hintByName(name: string, type: string): string | undefined {
  if (WORKBOOKS.test(name)) return WORKBOOK_HINT;
  if (SHEETS.test(name)) return SHEET_HINT;
  if (OTHERS.test(name)) return OTHER_HINT;
  // Systems give CSV files many types, so a text extension takes precedence.
  return !TEXTS.test(name) && OTHER_KINDS.test(type) ? OTHER_HINT : undefined;
}
