import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EncodingName } from '@steward/portal/src/platform/csv/csv-encodings.ts';
import { encode } from '@steward/portal/src/platform/csv/reader/encode-fakes.ts';

export interface CsvSample {
  fileName: string;
  bytes: Buffer;
  /** What is special, and what happens, in the words of docs/guide/csv-files.md. */
  about: string;
  result: string;
}

const BOM = '\uFEFF';
const HEADER = 'Id,Name,Phone Number,Sms,Email\r\n';
const TWO = ',Ann Lee,+15551234567,,ann@example.test\r\n,Bob Ray,(555) 123-4567,5551234,bob@example.test\r\n';
const SIMPLE = HEADER + TWO;
const UMLAUTS = 'Id;Name;Phone Number;Sms;Email\r\n;Jörg Müßig;030 1234;;joerg@example.test\r\n;Zoë “Z” €;;;\r\n';
const ID = '0001a2b3c4d5e6f7g8h9i0j1k2';

const utf16 = (text: string) => Buffer.from(text, 'utf16le');

/** Pseudo-random bytes, the same in each run. */
const noise = (length: number) => createHash('shake256', { outputLength: length }).digest();

const GERMAN = ['Jörg Müller', 'Käthe Weiß', 'Günther Größmann', 'Sören Krüger', 'Björn Schäfer'];

/** These encodings are guessed from names. */
const GUESSED: [EncodingName, names: string[]][] = [
  ['Windows-1250', ['Łukasz Wiśniewski', 'Małgorzata Dąbrowska', 'Paweł Zieliński', 'Bożena Król']],
  ['Windows-1251', ['Иван Петров', 'Мария Смирнова', 'Алексей Кузнецов', 'Юрий Щербаков']],
  ['Windows-1254', ['Ayşe Yılmaz', 'Gülşen Öztürk', 'İbrahim Şahin', 'Çağrı Doğan', 'Uğur Işık']],
  ['Shift_JIS', ['佐藤花子', '鈴木一郎', '高橋健太', '伊藤さくら', '中村ひろし', '小林ユウキ', '加藤リエ']],
  ['GB18030', ['王小明', '李娜', '张伟', '刘洋', '陈静', '杨磊', '赵敏']],
  ['Mac Roman', GERMAN],
  ['CP850', GERMAN],
];

const toFile = (names: readonly string[]) => `Name;Sms\r\n${names.map((name) => `${name};1\r\n`).join('')}`;
const zip = (first: string) => Buffer.concat([Buffer.from(`PK\x03\x04${'\0'.repeat(26)}${first}`), noise(4_096)]);
const PNG = Buffer.concat([Buffer.from('\x89PNG\r\n\x1A\n', 'latin1'), noise(4_096)]);

const FILES: Record<string, string | Uint8Array> = {
  'utf-8.csv': SIMPLE,
  'utf-8-bom.csv': BOM + SIMPLE,
  'utf-8-umlauts.csv': UMLAUTS,
  'utf-16le-bom.csv': utf16(BOM + UMLAUTS),
  'utf-16be-bom.csv': utf16(BOM + UMLAUTS).swap16(),
  'utf-16le.csv': utf16(SIMPLE),
  'utf-16be.csv': utf16(SIMPLE).swap16(),
  'windows-1252.csv': encode('Windows-1252', UMLAUTS),
  ...Object.fromEntries(
    GUESSED.map(([name, names]) => [`${name.toLowerCase().replace(/[^\w-]/g, '-')}.csv`, encode(name, toFile(names))]),
  ),
  'utf-16-cut.csv': utf16(BOM + UMLAUTS).subarray(0, -1),
  'utf-8-bom-broken.csv': Buffer.concat([Buffer.from(BOM + HEADER), encode('Windows-1252', ',Jörg,,,\r\n')]),

  'semicolons.csv': SIMPLE.replaceAll(',', ';'),
  'tabs.csv': SIMPLE.replaceAll(',', '\t'),
  'lf.csv': SIMPLE.replaceAll('\r\n', '\n'),
  'cr.csv': SIMPLE.replaceAll('\r\n', '\r'),
  'mixed-newlines.csv': `${HEADER}${TWO},C,,,\n,D,,,\r,E,,,\n\r,F,,,`,
  'quoted-newlines.csv': `${HEADER},"Ann\r\nLee",1,,\r\n,"Bob\nRay",2,,\r\n,"Cy\rDee",3,,`,
  'quotes.csv': `${HEADER},"Ann ""A"" Lee","1,2;3",,\r\n,6" Bob,,,\r\n," Cy " ,,,\r\n`,
  'sep-line.csv': `${BOM}sep=;\r\n${HEADER.replaceAll(',', ';')};Ann, Bob;;;\r\n`,
  'strange-header.csv': `${BOM}  ID ," NAME "," Phone Number ",SMS, eMail \r\n,Ann,1,2,ann@example.test\r\n`,
  'unknown-columns.csv': `Title,Name,__proto__,Email,Title\r\nDr,Ann,x,ann@example.test,y\r\n`,
  'missing-columns.csv': `Id,Name\r\n${ID},Ann\r\n,Bob\r\n`,
  'name-alone.csv': 'name\nAnn\nBob',
  'formulas.csv': `${HEADER},'=1+1,'+1+1,'@x,\r\n,=1+1,-1,"\t5",\r\n`,
  'scripts.csv': `${HEADER},<script>alert(1)</script>,,,\r\n,"'); drop table entries;--",,,\r\n`,
  'right-to-left.csv': `${HEADER},שרה כהן,,,\r\n,\u202Egnp.exe,,,\r\n,Z\u0351\u036B\u0343a\u0308,,,\r\n,👩🏽‍🚀 Ann,,,\r\n`,
  'nul.csv': `${HEADER},An\0n,,,\r\n,Bob,,,\r\n`,

  'short-rows.csv': `${HEADER}${ID},Ann\r\n,Bob\r\n,Cy,1\r\n`,
  'long-rows.csv': `${HEADER},Ann,1,2,a@example.test,Berlin,Room 4\r\n,Bob,,,,,,\r\n`,
  'shortened-numbers.csv': `${HEADER},Ann,4.91711E+11,,\r\n,Bob,,"1,55512E+13",\r\n,Cy,5E 12,,\r\n`,
  'repeated-ids.csv': `${HEADER}${ID},Ann,,,\r\n,Bob,,,\r\n ${ID} ,Ann again,,,\r\nno-id,C,,,\r\nno-id,D,,,\r\n`,
  'empty-rows.csv': [HEADER, '\r\n'.repeat(10_000), ',,,,\r\n'.repeat(9_999), ' , ,\t,,\r\n', TWO].join(''),
  'huge-cell.csv': `${HEADER},${'x'.repeat(10_000_000)},,,\r\n,"${'y\n'.repeat(5_000_000)}",,,\r\n,Bob,,,\r\n`,
  'many-quotes.csv': `${HEADER},${'"'.repeat(100_000)},,,\r\n,Bob,,,\r\n`,
  'wide-row.csv': `${HEADER}${'x,'.repeat(5_000)}\r\n,Bob,,,\r\n`,
  'wide-header.csv': `Name,${Array.from({ length: 5_000 }, (_, at) => `C${at}`).join()}\r\nAnn\r\n`,

  'empty.csv': '',
  'bom-only.csv': BOM,
  'blank.csv': ' \r\n\t\r\n\n',
  'header-only.csv': HEADER,
  'header-and-empty-rows.csv': HEADER + ',,,,\r\n'.repeat(20_000),
  'no-header.csv': TWO,
  'no-name.csv': 'Id,Full Name,Email\r\n,Ann,\r\n',
  'repeated-header.csv': 'Id,Name,Sms,name \r\n,Ann,,Bob\r\n',
  'unclosed-quote.csv': `${HEADER}${TWO},"Cy,,,\r\n${',Dee,,,\r\n'.repeat(1_000)}`,
  'unclosed-quote-10-mb.csv': `${HEADER}${TWO},"Cy,,,\r\n${',Dee,,,\r\n'.repeat(1_100_000)}`,
  'text-behind-quote.csv': `${HEADER}${TWO},"Cy" Dee,,,\r\n`,
  'lone-quotes.csv': `${HEADER},"${'a" '.repeat(100_000)},,,\r\n`,
  'noise.csv': noise(65_536),
  'photo.png': PNG,
  'renamed-photo.csv': PNG,
  'people.xlsx': Buffer.concat([Buffer.from('PK\x03\x04'), noise(4_096)]),
  'renamed-archive.csv': zip('photos/one.jpg'),
  'renamed-pdf.csv': '%PDF-1.7\n',
  'renamed-workbook.csv': zip('[Content_Types].xml'),
  'people.xls': Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), noise(4_096)]),
  'people.pdf': '%PDF-1.7\n',
  'people.json': '[{"name":"Ann"}]',
};

const TABLE = readFileSync(join(import.meta.dirname, '../../docs/guide/csv-files.md'), 'utf8');

/** Every line of the guide's table with its file. All are read in Node, and some in a real browser. */
export const CSV_SAMPLES: readonly CsvSample[] = TABLE.matchAll(/^\| `(.*)` \| (.*) \| (.*) \|$/gm)
  .map(([, fileName = '', about = '', result = '']) => {
    const bytes = FILES[fileName];
    if (bytes === undefined) throw new Error(`The guide names ${fileName}, which is no file of the tests.`);
    return { fileName, bytes: Buffer.from(bytes), about, result };
  })
  .toArray();

const MISSING = Object.keys(FILES).length - CSV_SAMPLES.length;
if (MISSING !== 0) throw new Error(`${MISSING} files are missing in docs/guide/csv-files.md.`);

const INVALID = 'Provided input seems Invalid. Please check format by downloading comp dir csv ';

/** What happened to a file, in the words of the table. */
export const describeRefusal = (reason: string) => `refused: ${reason.replace(INVALID, '')}`;
export const describeCounts = (added: number, wrong: number) =>
  `${added} added${wrong > 0 ? `, ${wrong} given back` : ''}`;
