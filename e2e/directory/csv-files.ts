import type { EncodingName } from '@steward/portal/src/platform/csv/csv-encodings.ts';
import { encode } from '@steward/portal/src/platform/csv/reader/encode-fakes.ts';

/** The file is either rejected with a reason, or read as described. */
type Outcome =
  | { refused: RegExp }
  | {
      /** Number of rows in the file, including wrong ones. */
      rows: number;
      /** Number of rows that the reader rejects. The server may reject others. */
      wrong: number;
      encoding: EncodingName;
      delimiter: ',' | ';' | '\t';
    };

export interface CsvSample {
  name: string;
  fileName: string;
  bytes: Buffer;
  about: string;
  outcome: Outcome;
}

const BOM = '\uFEFF';
const HEADER = 'Id,Name,Phone Number,Sms,Email\r\n';
const TWO = ',Ann Lee,+15551234567,,ann@example.test\r\n,Bob Ray,(555) 123-4567,5551234,bob@example.test\r\n';
const UMLAUTS = 'Id;Name;Phone Number;Sms;Email\r\n;Jörg Müßig;030 1234;;joerg@example.test\r\n;Zoë “Z” €;;;\r\n';
const ID = '0001a2b3c4d5e6f7g8h9i0j1k2';

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const withNewline = (newline: string) => HEADER.concat(TWO).replaceAll('\r\n', newline);

/** Pseudo-random bytes, the same in each run. */
function noise(length: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return state >>> 24;
    }),
  );
}

type Reading = { rows: number; wrong?: number; encoding?: EncodingName; delimiter?: ';' | '\t' };

function read(name: string, bytes: string | Uint8Array, { about, ...reading }: Reading & { about: string }): CsvSample {
  const outcome = { wrong: 0, encoding: 'UTF-8', delimiter: ',', ...reading } as const;
  return { name, fileName: `${name}.csv`, bytes: Buffer.from(bytes), about, outcome };
}

function refused(fileName: string, bytes: string | Buffer, { why, about }: { why: RegExp; about: string }): CsvSample {
  const name = fileName.replace(/\.csv$/, '');
  return { name, fileName, bytes: Buffer.from(bytes), about, outcome: { refused: why } };
}

const GERMAN = ['Jörg Müller', 'Käthe Weiß', 'Günther Größmann', 'Sören Krüger', 'Björn Schäfer'];
const JAPANESE = ['佐藤花子', '鈴木一郎', '高橋健太', '伊藤さくら', '中村ひろし', '小林ユウキ', '加藤リエ'];

/** These encodings are guessed from names. */
const GUESSED: readonly (readonly [EncodingName, about: string, names: readonly string[]])[] = [
  [
    'Windows-1250',
    'Excel in Central Europe',
    ['Łukasz Wiśniewski', 'Małgorzata Dąbrowska', 'Paweł Zieliński', 'Bożena Król'],
  ],
  [
    'Windows-1251',
    'Excel where Cyrillic is written',
    ['Иван Петров', 'Мария Смирнова', 'Алексей Кузнецов', 'Юрий Щербаков'],
  ],
  ['Windows-1254', 'Excel in Turkey', ['Ayşe Yılmaz', 'Gülşen Öztürk', 'İbrahim Şahin', 'Çağrı Doğan', 'Uğur Işık']],
  ['Shift_JIS', 'Excel in Japan', JAPANESE],
  ['GB18030', 'Excel in China', ['王小明', '李娜', '张伟', '刘洋', '陈静', '杨磊', '赵敏']],
  ['Mac Roman', 'earlier versions of Excel on a Mac', GERMAN],
  ['CP850', 'DOS and programs that came from it', GERMAN],
];

const toFile = (names: readonly string[]) => `Name;Sms\r\n${names.map((name) => `${name};1\r\n`).join('')}`;

const ENCODINGS: CsvSample[] = [
  read('utf-8', HEADER + TWO, { rows: 2, about: 'UTF-8 without a mark' }),
  read('utf-8-bom', BOM + HEADER + TWO, { rows: 2, about: 'UTF-8 with the mark that Excel writes' }),
  read('utf-8-umlauts', UMLAUTS, { rows: 2, delimiter: ';', about: 'letters beyond ASCII' }),
  read('utf-16le-bom', Buffer.from(BOM + UMLAUTS, 'utf16le'), {
    rows: 2,
    encoding: 'UTF-16 LE',
    delimiter: ';',
    about: 'Excel: Unicode text',
  }),
  read('utf-16be-bom', utf16be(BOM + UMLAUTS), {
    rows: 2,
    encoding: 'UTF-16 BE',
    delimiter: ';',
    about: 'the other order',
  }),
  read('utf-16le', Buffer.from(HEADER + TWO, 'utf16le'), { rows: 2, encoding: 'UTF-16 LE', about: 'without a mark' }),
  read('utf-16be', utf16be(HEADER + TWO), { rows: 2, encoding: 'UTF-16 BE', about: 'without a mark, the other order' }),
  read('windows-1252', Buffer.from(encode('Windows-1252', UMLAUTS)), {
    rows: 2,
    encoding: 'Windows-1252',
    delimiter: ';',
    about: 'Excel in Western Europe: umlauts, quotes, the euro sign',
  }),
  ...GUESSED.map(([encoding, about, names]) =>
    read(encoding.toLowerCase().replace(/\W/g, '-'), encode(encoding, toFile(names)), {
      rows: names.length,
      encoding,
      delimiter: ';',
      about,
    }),
  ),
  refused('utf-16-cut.csv', Buffer.from(BOM + UMLAUTS, 'utf16le').subarray(0, -1), {
    why: /not all of it is UTF-16 LE text/,
    about: 'half a character at its end',
  }),
  refused('utf-8-bom-broken.csv', Buffer.concat([Buffer.from(BOM + HEADER), encode('Windows-1252', ',Jörg,,,\r\n')]), {
    why: /not all of it is UTF-8 text/,
    about: 'the mark of UTF-8 before something else',
  }),
];

const FORMS: CsvSample[] = [
  read('semicolons', withNewline('\r\n').replaceAll(',', ';'), { rows: 2, delimiter: ';', about: 'semicolons' }),
  read('tabs', withNewline('\r\n').replaceAll(',', '\t'), { rows: 2, delimiter: '\t', about: 'tabs' }),
  read('lf', withNewline('\n'), { rows: 2, about: 'lines that end in LF' }),
  read('cr', withNewline('\r'), { rows: 2, about: 'lines that end in CR' }),
  read('mixed-newlines', `${HEADER}${TWO},C,,,\n,D,,,\r,E,,,\n\r,F,,,`, {
    rows: 6,
    about: 'every line end in one file',
  }),
  read('quoted-newlines', `${HEADER},"Ann\r\nLee",1,,\r\n,"Bob\nRay",2,,\r\n,"Cy\rDee",3,,`, {
    rows: 3,
    about: 'line ends inside cells',
  }),
  read('quotes', `${HEADER},"Ann ""A"" Lee","1,2;3",,\r\n,6" Bob,,,\r\n," Cy " ,,,\r\n`, {
    rows: 3,
    about: 'doubled quotes, quotes inside, blanks behind them',
  }),
  read('sep-line', `${BOM}sep=;\r\n${HEADER.replaceAll(',', ';')};Ann, Bob;;;\r\n`, {
    rows: 1,
    delimiter: ';',
    about: 'the line that tells Excel the delimiter',
  }),
  read('strange-header', `${BOM}  ID ," NAME "," Phone Number ",SMS, eMail \r\n,Ann,1,2,ann@example.test\r\n`, {
    rows: 1,
    about: 'a header with blanks, quotes and capitals',
  }),
  read('unknown-columns', `Title,Name,__proto__,Email,Title\r\nDr,Ann,x,ann@example.test,y\r\n`, {
    rows: 1,
    about: 'columns that are not ours',
  }),
  read('missing-columns', `Id,Name\r\n${ID},Ann\r\n,Bob\r\n`, { rows: 2, about: 'no numbers and no address' }),
  read('name-alone', 'name\nAnn\nBob', { rows: 2, about: 'one column' }),
  read('formulas', `${HEADER},'=1+1,'+1+1,'@x,\r\n,=1+1,-1,"\t5",\r\n`, {
    rows: 2,
    about: 'formulas, guarded and not',
  }),
  read('scripts', `${HEADER},<script>alert(1)</script>,,,\r\n,"'); drop table entries;--",,,\r\n`, {
    rows: 2,
    about: 'names with markup and SQL',
  }),
  read(
    'right-to-left',
    `${HEADER},שרה כהן,,,\r\n,\u202Egnp.exe,,,\r\n,Z\u0351\u036B\u0343a\u0308,,,\r\n,👩🏽‍🚀 Ann,,,\r\n`,
    {
      rows: 4,
      about: 'right-to-left, overrides, combining marks, emoji',
    },
  ),
  read('nul', `${HEADER},An\0n,,,\r\n,Bob,,,\r\n`, { rows: 2, about: 'NUL in a name, which the server gives back' }),
];

const DAMAGED_ROWS: CsvSample[] = [
  read('short-rows', `${HEADER}${ID},Ann\r\n,Bob\r\n,Cy,1\r\n`, { rows: 3, about: 'rows without their last cells' }),
  read('long-rows', `${HEADER},Ann,1,2,a@example.test,Berlin,Room 4\r\n,Bob,,,,,,\r\n`, {
    rows: 2,
    wrong: 1,
    about: 'more cells than the header, with and without text',
  }),
  read('shortened-numbers', `${HEADER},Ann,4.91711E+11,,\r\n,Bob,,"1,55512E+13",\r\n,Cy,5E 12,,\r\n`, {
    rows: 3,
    about: 'numbers as a spreadsheet shows them, which the server judges',
  }),
  read('repeated-ids', `${HEADER}${ID},Ann,,,\r\n,Bob,,,\r\n ${ID} ,Ann again,,,\r\nno-id,C,,,\r\nno-id,D,,,\r\n`, {
    rows: 5,
    wrong: 1,
    about: 'an id twice; what is no id is for the server',
  }),
  read('empty-rows', [HEADER, '\r\n'.repeat(10_000), ',,,,\r\n'.repeat(9_999), ' , ,\t,,\r\n', TWO].join(''), {
    rows: 2,
    about: '20,000 rows with nothing in them',
  }),
  read('huge-cell', `${HEADER},${'x'.repeat(10_000_000)},,,\r\n,"${'y\n'.repeat(5_000_000)}",,,\r\n,Bob,,,\r\n`, {
    rows: 3,
    wrong: 2,
    about: 'cells of 10 MB, with and without quotes',
  }),
  read('many-quotes', `${HEADER},${'"'.repeat(100_000)},,,\r\n,Bob,,,\r\n`, {
    rows: 2,
    wrong: 1,
    about: '100,000 quotes in one cell',
  }),
  read('wide-row', `${HEADER}${'x,'.repeat(5_000)}\r\n,Bob,,,\r\n`, {
    rows: 2,
    wrong: 1,
    about: 'a row of 5,000 cells',
  }),
  read('wide-header', `Name,${Array.from({ length: 5_000 }, (_, at) => `C${at}`).join()}\r\nAnn\r\n`, {
    rows: 1,
    about: '5,000 columns that are not ours',
  }),
];

const zip = (first: string) => Buffer.from(`PK\x03\x04${'\0'.repeat(26)}${first}`);
const INVALID = 'Provided input seems Invalid\\. Please check format by downloading comp dir csv ';
const why = (hint: string) => new RegExp(`^${INVALID}.*${hint}`);
const workbook = /is not a CSV file\. In Excel, choose Save As and the type CSV UTF-8, then upload that file\.$/;

const REFUSED: CsvSample[] = [
  refused('empty.csv', '', { why: why('The file is empty'), about: 'no byte' }),
  refused('bom-only.csv', BOM, { why: why('The file is empty'), about: 'nothing behind the mark' }),
  refused('blank.csv', ' \r\n\t\r\n\n', { why: why('The file is empty'), about: 'blanks alone' }),
  refused('header-only.csv', HEADER, { why: why('a header but no rows'), about: 'no rows' }),
  refused('header-and-empty-rows.csv', HEADER + ',,,,\r\n'.repeat(20_000), {
    why: why('a header but no rows'),
    about: '20,000 empty rows',
  }),
  refused('no-header.csv', TWO, { why: why('The column Name is missing'), about: 'rows without a header' }),
  refused('no-name.csv', 'Id,Full Name,Email\r\n,Ann,\r\n', {
    why: why('Name is missing'),
    about: 'no column for names',
  }),
  refused('repeated-header.csv', 'Id,Name,Sms,name \r\n,Ann,,Bob\r\n', {
    why: why('The column Name occurs twice'),
    about: 'a column twice',
  }),
  refused('unclosed-quote.csv', `${HEADER}${TWO},"Cy,,,\r\n${',Dee,,,\r\n'.repeat(1_000)}`, {
    why: why('The quote that opens in line 4 is never closed'),
    about: 'a quote without its end swallows the rest',
  }),
  refused('unclosed-quote-10-mb.csv', `${HEADER}${TWO},"Cy,,,\r\n${',Dee,,,\r\n'.repeat(1_100_000)}`, {
    why: why('The quote that opens in line 4 is never closed'),
    about: 'the same before 10 MB',
  }),
  refused('text-behind-quote.csv', `${HEADER}${TWO},"Cy" Dee,,,\r\n`, {
    why: why('In line 4 text follows the quote'),
    about: 'a quote in the middle of a cell',
  }),
  refused('lone-quotes.csv', `${HEADER},"${'a" '.repeat(100_000)},,,\r\n`, {
    why: why('In line 2 text follows the quote'),
    about: '100,000 quotes that end nothing',
  }),
  refused('noise.csv', noise(65_536), { why: why('does not contain text'), about: 'random bytes' }),
  refused('photo.png', Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), noise(4_096)]), {
    why: /^photo\.png is not a CSV file\./,
    about: 'a picture',
  }),
  refused('renamed-photo.csv', Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), noise(4_096)]), {
    why: why('It seems to be a picture \\(PNG\\)\\.$'),
    about: 'a picture under another name',
  }),
  refused('people.xlsx', Buffer.concat([Buffer.from('PK\x03\x04'), noise(4_096)]), {
    why: workbook,
    about: 'a workbook',
  }),
  refused('renamed-archive.csv', Buffer.concat([zip('photos/one.jpg'), noise(4_096)]), {
    why: why('It seems to be a ZIP archive\\.$'),
    about: 'an archive under another name',
  }),
  refused('renamed-pdf.csv', '%PDF-1.7\n', {
    why: why('It seems to be a PDF document\\.$'),
    about: 'a PDF under another name',
  }),
  refused('renamed-workbook.csv', Buffer.concat([zip('[Content_Types].xml'), noise(4_096)]), {
    why: why('It seems to be an Excel workbook\\. In Excel, choose Save As'),
    about: 'a workbook under another name',
  }),
  refused('people.xls', Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), noise(4_096)]), {
    why: workbook,
    about: 'an old workbook',
  }),
  refused('people.pdf', '%PDF-1.7\n', { why: /^people\.pdf is not a CSV file\./, about: 'a PDF' }),
  refused('people.json', '[{"name":"Ann"}]', { why: /^people\.json is not a CSV file\./, about: 'JSON' }),
];

/** The files have every encoding, delimiter and kind of damage, and are read both in Node and in a real browser. */
export const CSV_SAMPLES: readonly CsvSample[] = [...ENCODINGS, ...FORMS, ...DAMAGED_ROWS, ...REFUSED];
