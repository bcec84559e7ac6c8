import { CsvError } from '../csv-error.ts';

const WORKBOOK_HINT = 'In Excel choose Save As and the type CSV UTF-8, then upload that file.';
const SHEET_HINT = 'Save it as CSV UTF-8, then upload that file.';
const OTHER_HINT = 'Choose a file that ends in .csv.';

/** Endings that no CSV file has. Others, and none, are judged by what is in the file. */
const WORKBOOKS = /\.(xlsx|xlsm|xlsb|xltx|xls)$/i;
const SHEETS = /\.(ods|fods|numbers|gsheet)$/i;
const OTHERS =
  /\.(pdf|docx?|odt|rtf|pages|pptx?|odp|key|zip|gz|7z|rar|tar|json|xml|html?|vcf|eml|exe|dmg|png|jpe?g|gif|webp|heic|svg|bmp|tiff?|mp3|mp4|mov|wav|avi)$/i;
const TEXTS = /\.(csv|tsv|tab|txt)$/i;
const OTHER_KINDS = /^(image|audio|video|font)\/|^application\/(pdf|zip|json|gzip|rtf)$/;

/** What the first bytes of files say that are no text. */
const BEGINNINGS: readonly { bytes: readonly number[]; hint: string }[] = [
  // ZIP, which is what a new workbook is, and the container of old ones.
  { bytes: [0x50, 0x4b, 0x03, 0x04], hint: WORKBOOK_HINT },
  { bytes: [0x50, 0x4b, 0x05, 0x06], hint: OTHER_HINT },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], hint: WORKBOOK_HINT },
  { bytes: textBytes('%PDF'), hint: OTHER_HINT },
  { bytes: [0x89, ...textBytes('PNG')], hint: OTHER_HINT },
  { bytes: [0xff, 0xd8, 0xff], hint: OTHER_HINT },
  { bytes: textBytes('GIF8'), hint: OTHER_HINT },
  { bytes: [0x1f, 0x8b], hint: OTHER_HINT },
  { bytes: textBytes('{\\rtf'), hint: OTHER_HINT },
];

function textBytes(text: string): number[] {
  return [...new TextEncoder().encode(text)];
}

/** So many first bytes are enough for `refuseWrongType`. */
export const TYPE_BYTES = 8;

/** Refuses a file that clearly is something else: by its name and the type that the system gives it, or by its first bytes. */
export function refuseWrongType({ name, type }: Pick<File, 'name' | 'type'>, head: Uint8Array): void {
  const hint = hintByName(name, type) ?? hintByBytes(head);
  if (hint !== undefined) throw new CsvError(`${name} is not a CSV file.`, hint);
}

function hintByName(name: string, type: string): string | undefined {
  if (WORKBOOKS.test(name)) return WORKBOOK_HINT;
  if (SHEETS.test(name)) return SHEET_HINT;
  if (OTHERS.test(name)) return OTHER_HINT;
  // Systems give CSV files many types; a name that says what it is counts more.
  return !TEXTS.test(name) && OTHER_KINDS.test(type) ? OTHER_HINT : undefined;
}

function hintByBytes(head: Uint8Array): string | undefined {
  const found = BEGINNINGS.find(({ bytes }) => bytes.every((byte, at) => head[at] === byte));
  return found?.hint;
}
