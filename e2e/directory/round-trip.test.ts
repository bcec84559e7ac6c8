import assert from 'node:assert/strict';
import { addEntries, createEntryForm, type Entry, listEntries, uploadEntries } from '@steward/contract/directory';
import { createDirectoryCsv, openDirectoryFile } from '@steward/portal/src/features/directory/import/directory.csv.ts';
import { readCsv } from '@steward/portal/src/platform/csv/reader/csv-reader.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { createTeamWithMembers } from '@steward/server/testing/workspace/factories.ts';
import { afterAll, beforeAll, it } from 'vitest';

const { signal } = new AbortController();
let node: TestApp;

beforeAll(async () => {
  node = await startApp({ work: false });
});

afterAll(() => node[Symbol.asyncDispose]());

/** A spreadsheet or a parser could misinterpret these texts. */
const TRICKY = [
  ...['="007"', "'=1", "''007", "'", '=1+1', '@x', '-1', '+49 30 901820', 'sep=;', '"', ';', '\t1'],
  ...['1.55501E+11', '4,9e+11', '-5E+12', '007', '+49301', '???', '\uFEFFa', 'a\r\nb', 'Straße \uFB01'],
];
const LETTERS = [...'\'"=+-@,;E1.\t\r\n ab\u0001\u0085é\u0301😀＝'];

/** Every run has the same entries. */
function generatedEntries(count: number) {
  let seed = 11;
  const next = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 1;
    return seed % below;
  };
  const letters = () => Array.from({ length: next(12) }, () => LETTERS[next(LETTERS.length)]).join('');
  const text = () => (next(3) === 0 ? (TRICKY[next(TRICKY.length)] ?? '') : letters());
  const emails = ['', "'a@example.com", '+a@example.com'];
  const forms = Array.from({ length: count }, () => ({
    name: text(),
    phone_number: text(),
    sms: text(),
    email: emails[next(emails.length)] ?? '',
  }));
  return forms.filter((form) => createEntryForm('short').safeParse(form).success);
}

it('uploading a downloaded directory changes nothing, whatever its texts are', async () => {
  const { admin, id } = await createTeamWithMembers(node);
  const to = { as: admin, params: { teamId: id } };
  const forms = [
    ...TRICKY.map((text) => ({ name: `x${text}`, phone_number: text, sms: text, email: '' })),
    ...generatedEntries(900),
  ];
  assert.ok(forms.length > 600);
  assert.equal((await call(node, addEntries, { ...to, body: forms })).status, 200);
  const stored: Entry[] = (await call(node, listEntries, { ...to, query: { limit: '2000' } })).body.records;
  assert.equal(stored.length, forms.length);
  const csv = createDirectoryCsv();
  csv.add(stored);
  const source = new File([csv.finish()], 'compdir.csv');
  const file = await openDirectoryFile(source, { signal, open: readCsv });
  const rows = (await Array.fromAsync(file.batches(signal))).flatMap((batch) => batch.rows);
  assert.ok(rows.every(({ fault }) => fault === undefined));
  const reply = await call(node, uploadEntries, { ...to, body: rows.map(({ row }) => row) });
  const { created, changed, unchanged, errors } = reply.body;
  assert.deepEqual(
    { created, changed, unchanged, errors },
    { created: 0, changed: 0, unchanged: forms.length, errors: [] },
  );
});
