import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { BATCH_ROWS, CSV_FILE_MAX, type CsvBatch, CsvError, type CsvSchema } from '../csv-schema.ts';
import { readCsv } from './csv-reader.ts';

const SCHEMA: CsvSchema = {
  columns: [
    { name: 'name', label: 'Name' },
    { name: 'email', label: 'Email' },
  ],
  required: 'Name',
  unused: [],
  invalidMessage: 'This is no list.',
  errorMessage: 'It cannot be read.',
};

const { signal } = new AbortController();

function makeFile(...texts: string[]): File {
  return new File(texts, 'people.csv');
}

async function readAllBatches(...texts: string[]): Promise<CsvBatch[]> {
  return Array.fromAsync((await readCsv(makeFile(...texts), SCHEMA)).batches(signal));
}

async function readRows(text: string): Promise<[number, ...string[]][]> {
  return (await readAllBatches(text)).flatMap(({ rows }) =>
    rows.map(({ line, cells }): [number, ...string[]] => [line, ...cells]),
  );
}

async function getHint(reading: Promise<unknown>): Promise<string> {
  const thrown = await reading.then(
    () => assert.fail('it was read'),
    (fault: unknown) => fault,
  );
  assert.ok(thrown instanceof CsvError);
  assert.equal(thrown.message, SCHEMA.invalidMessage);
  return thrown.hint ?? '';
}

describe('the delimiter', () => {
  for (const [text, delimiter] of [
    ['Name,Email\na,b', ','],
    ['Name;Email\na,b;c,d,e', ';'],
    ['Name\tEmail\na;b', '\t'],
    ['\r\n\r\nName;Email\na;b', ';'],
    ['"Last, first";Name;Email\na;b;c', ';'],
    ['"Name";"E;mail, or not"\na;b', ';'],
    ['Name\nLee, Ann; Ray', ','],
  ] as const) {
    it(`of ${JSON.stringify(text)} is ${JSON.stringify(delimiter)}`, async () => {
      assert.equal((await readCsv(makeFile(text), SCHEMA)).delimiter, delimiter);
    });
  }

  it('is the one in the sep= line, which is not a row', async () => {
    for (const newline of ['\n', '\r', '\r\n']) {
      assert.deepEqual(await readRows(`\uFEFFSEP=;${newline}Name;Email${newline}a,b;c`), [[3, 'a,b', 'c']]);
    }
  });
});

describe('the rows of a file', () => {
  it('have the number of their first line', async () => {
    const text = '\n\nName,Email\r\n\r\n"a\r\nb\rc\nd",1\n,\r ,\t\rb,"2\n\n"\nc';
    assert.deepEqual(await readRows(text), [
      [5, 'a\r\nb\rc\nd', '1'],
      [11, 'b', '2\n\n'],
      [14, 'c'],
    ]);
  });

  it('are in the same batches in each pass, none of them too long', async () => {
    const rows = Array.from({ length: 4_567 }, (_, at) => `Name ${at},"${'x'.repeat(at % 700)}"\n`);
    const csv = await readCsv(makeFile('Name,Email\n', ...rows), SCHEMA);
    const passes = [await Array.fromAsync(csv.batches(signal)), await Array.fromAsync(csv.batches(signal))];
    assert.deepEqual(passes[0], passes[1]);
    const [batches = []] = passes;
    assert.deepEqual(
      batches.flatMap((batch) => batch.rows.map(({ cells }) => cells[0])),
      rows.map((_, at) => `Name ${at}`),
    );
    for (const batch of batches) {
      assert.ok(batch.rows.length <= BATCH_ROWS);
      assert.ok(batch.rows.flatMap(({ cells }) => cells).join('').length <= 600_000);
    }
  });

  it('report how much of the file was read', async () => {
    const rows = Array.from({ length: 9_000 }, (_, at) => `Name ${at},${at}\n`);
    const batches = await readAllBatches('Name,Email\n', ...rows);
    const reads = batches.map(({ read }) => read);
    assert.equal(reads.at(-1), 11 + rows.join('').length);
    assert.deepEqual(
      reads,
      reads.toSorted((one, other) => one - other),
    );
    assert.equal(new Set(reads).size, 5);
  });

  it('stop when the signal aborts', async () => {
    const ending = new AbortController();
    const rows = Array.from({ length: 9_000 }, (_, at) => `Name ${at},${at}\n`);
    const csv = await readCsv(makeFile('Name,Email\n', ...rows), SCHEMA);
    await assert.rejects(async () => {
      for await (const _ of csv.batches(ending.signal)) ending.abort();
    }, /abort/);
  });
});

describe('a rejected file', () => {
  it('reports the reason immediately, wherever in the file it is', async () => {
    assert.match(await getHint(readCsv(makeFile(''), SCHEMA)), /^The file is empty/);
    assert.match(await getHint(readCsv(makeFile('Name,Email\n,\n'), SCHEMA)), /a header but no rows/);
    assert.match(await getHint(readCsv(makeFile('Name,Email, name\na,b,c'), SCHEMA)), /The column Name occurs twice/);
    assert.match(await getHint(readCsv(makeFile('Email\nb'), SCHEMA)), /The column Name is missing/);
    assert.match(await getHint(readCsv(makeFile('Who\n"a" b\n'), SCHEMA)), /The column Name is missing/);
    assert.match(await getHint(readCsv(makeFile('"Name,Email\na,b\n'), SCHEMA)), /quote that opens in line 1 is never/);
    assert.match(await getHint(readCsv(makeFile('\x01\x02,\x03\n'), SCHEMA)), /does not contain text/);
  });

  it('names the line of a broken quote after thousands of rows', async () => {
    const rows = 'Ann,"two\nlines"\n'.repeat(20_000);
    assert.match(await getHint(readAllBatches('Name,Email\n', rows, 'Bob,"x" y\n')), /^In line 40002 text follows/);
    assert.match(await getHint(readAllBatches('Name,Email\n', rows, 'Bob,"x\n', rows)), /^In line 40002 text follows/);
    assert.match(
      await getHint(readAllBatches('Name,Email\n', rows, '"a\n",\n"a\nb","x\n', 'Cy,y\n'.repeat(50_000))),
      /^The quote that opens in line 40005 is never closed/,
    );
  });

  it('can have a header longer than the text that the delimiter is chosen by', async () => {
    const header = `"${'x'.repeat(200_000)}",Name\n`;
    assert.deepEqual((await readAllBatches(header, 'a,b'))[0]?.rows, [{ line: 2, cells: ['a', 'b'] }]);
  });

  it('is larger than 100 MB', async () => {
    const large = Object.defineProperty(makeFile('Name\na'), 'size', { value: CSV_FILE_MAX + 1 });
    await assert.rejects(readCsv(large, SCHEMA), /^CsvError: The file is larger than 100 MB\.$/);
  });
});
