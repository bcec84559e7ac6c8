import assert from 'node:assert/strict';
import type { Entry, UploadRow } from '@steward/contract/directory';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { readCsv } from '#platform/csv/reader/csv-reader.ts';
import type { FileRow } from '#platform/upload/session/upload-file.ts';
import { createDirectoryCsv, createErrorCsv, openDirectoryFile } from './directory.csv.ts';

const { signal } = new AbortController();

/** Files are opened as on the page, but without a worker. */
async function open(content: BlobPart) {
  return openDirectoryFile(new File([content], 'compdir.csv'), { signal, open: readCsv });
}

async function readRows(content: BlobPart): Promise<FileRow<UploadRow>[]> {
  const file = await open(content);
  return (await Array.fromAsync(file.batches(signal))).flatMap(({ rows }) => rows);
}

const id = (at: number) => at.toString(36).padStart(26, '0');

function entry(at: number, over: Partial<Entry>): Entry {
  const fields = { name: 'Ann', phone_number: '', sms: '', email: '', user_id: '', last_picture_update: 0 };
  return { id: id(at), ...fields, ...over };
}

function row(over: Partial<UploadRow>): UploadRow {
  return { id: '', name: 'Ann', phone_number: '', sms: '', email: '', ...over };
}

/** The texts include characters that spreadsheets and parsers treat specially. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\0', '')),
  fc.string({ unit: fc.constantFrom(...'\'"=+-@,;\t\r\n\u0001\u0085\u2028\uFEFF ab1é\u0301ש\u202E😀＝') }),
  fc.constantFrom('sep=;', '1E+5', '1.55501E+11', '="007"', "'=1+1", '+49 30 901820', 'a', ' '),
);
const fields = fc.record({ name: anyText, phone_number: anyText, sms: anyText, email: anyText });

describe('the file of the directory', () => {
  it('has the columns of the spec, the byte order mark and CRLF', async () => {
    const csv = createDirectoryCsv();
    csv.add([entry(1, { name: 'Lee, Ann', phone_number: '+15551234567', sms: '=1', email: 'ann@example.test' })]);
    csv.add([entry(2, { name: 'Bob\n"B"' })]);
    assert.equal(
      Buffer.from(await csv.finish().arrayBuffer()).toString(),
      '\uFEFFId,Name,Phone Number,Sms,Email\r\n' +
        `${id(1)},"Lee, Ann",+15551234567,'=1,ann@example.test\r\n${id(2)},"Bob\n""B""",,,\r\n`,
    );
  });

  it('preserves any text in a round trip', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fields, { minLength: 1, maxLength: 20 }), async (texts) => {
        const csv = createDirectoryCsv();
        csv.add(texts.map((over, at) => entry(at, over)));
        const rows = await readRows(csv.finish());
        assert.deepEqual(
          rows.map((read) => [read.row, read.fault]),
          texts.map((over, at) => [row({ id: id(at), ...over }), undefined]),
        );
      }),
      { numRuns: 100 },
    );
  });

  it('preserves a file that is longer than one slice', async () => {
    const csv = createDirectoryCsv();
    const entries = Array.from({ length: 4_500 }, (_, at) =>
      entry(at, { name: `Ann "${at}" 😀é\r\n`.repeat(at % 5), email: `a${at}@example.test` }),
    );
    for (let at = 0; at < entries.length; at += 2_000) csv.add(entries.slice(at, at + 2_000));
    const rows = await readRows(csv.finish());
    assert.deepEqual(
      rows.map((read) => [read.row.id, read.row.name, read.row.email, read.fault]),
      entries.map((one) => [one.id, one.name, one.email, undefined]),
    );
  });
});

describe('the error CSV', () => {
  it('can be uploaded again, with the same rows in the same order', async () => {
    const failed = fc.record({ row: fields.map((over) => row(over)), error: anyText.map((text) => `x${text}`) });
    await fc.assert(
      fc.asyncProperty(fc.array(failed, { minLength: 1, maxLength: 10 }), async (rows) => {
        const csv = createErrorCsv();
        csv.add(rows);
        const file = await open(csv.finish());
        assert.deepEqual([file.missing, file.ignored], [[], []]);
        const read = (await Array.fromAsync(file.batches(signal))).flatMap((batch) => batch.rows);
        assert.deepEqual(
          read.map((one) => one.row),
          rows.map((one) => one.row),
        );
      }),
    );
  });

  it('has the columns of the directory and Error, guarded', async () => {
    const csv = createErrorCsv();
    csv.add([{ row: row({ name: '=1', email: 'x' }), error: '@ is missing' }]);
    assert.equal(
      Buffer.from(await csv.finish().arrayBuffer()).toString(),
      "\uFEFFId,Name,Phone Number,Sms,Email,Error\r\n,'=1,,,x,'@ is missing\r\n",
    );
  });

  it('leaves out the fields that the file lacks, so that their stored values stay', async () => {
    const original = await open(`Id,Name,Email\n${id(1)},Ann,wrong\n`);
    const csv = createErrorCsv(original.missing);
    for await (const { rows } of original.batches(signal)) {
      csv.add(rows.map((read) => ({ row: read.row, error: 'Email has no @' })));
    }
    assert.equal(await csv.finish().text(), `Id,Name,Email,Error\r\n${id(1)},Ann,wrong,Email has no @\r\n`);
    const [again] = await readRows(csv.finish());
    assert.deepEqual(again?.row.keep, ['phone_number', 'sms']);
  });

  it('leaves them out of files without ids too, because rows can match entries', async () => {
    const original = await open('Name,Email\nAnn,wrong\n');
    const csv = createErrorCsv(original.missing);
    for await (const { rows } of original.batches(signal))
      csv.add(rows.map((read) => ({ row: read.row, error: 'Email has no @' })));
    assert.equal(await csv.finish().text(), 'Name,Email,Error\r\nAnn,wrong,Email has no @\r\n');
  });

  it('warns where a row with an id had no cell', async () => {
    const csv = createErrorCsv();
    csv.add([{ row: row({ id: id(1), keep: ['phone_number', 'sms', 'email'] }), error: 'Name is required.' }]);
    const text =
      'This row had no Phone Number, Sms and Email. Fill in the values to keep: an empty cell clears the field.';
    assert.match(await csv.finish().text(), new RegExp(`,"Name is required\\. ${text}"\r\n$`));
  });
});

describe('opening a file', () => {
  it('detects its format and columns', async () => {
    const file = await open('\uFEFF id ; Full Name;NAME;Error\n;x;Ann;\n');
    const { encoding, delimiter, missing, ignored, size } = file;
    assert.deepEqual(
      { encoding, delimiter, missing, ignored, size },
      {
        encoding: 'UTF-8',
        delimiter: ';',
        missing: ['Phone Number', 'Sms', 'Email'],
        ignored: ['Full Name'],
        size: 38,
      },
    );
    file.close();
  });

  it('detects repeated ids in each pass separately', async () => {
    const file = await open(`Id,Name\n${id(1)},Ann\n`);
    for (const _ of [1, 2]) {
      const [batch] = await Array.fromAsync(file.batches(signal));
      assert.equal(batch?.rows[0]?.fault, undefined);
    }
  });

  it('fails with the message of the specification if it can’t be read', async () => {
    await assert.rejects(open('Who\nAnn\n'), {
      message: 'Provided input seems Invalid. Please check format by downloading comp dir csv',
      hint: 'The column Name is missing. The first row must contain the column names.',
    });
    const gone = { slice: () => ({ arrayBuffer: () => Promise.reject(new Error('')) }), name: 'a.csv', type: '' };
    await assert.rejects(openDirectoryFile(gone as unknown as File, { signal, open: readCsv }), {
      message: 'An error occurred on csv upload',
    });
  });
});
