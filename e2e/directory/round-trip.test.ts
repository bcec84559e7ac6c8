import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import {
  addEntries,
  type Entry,
  EntryForm,
  type FailedRow,
  listEntries,
  uploadEntries,
} from '@steward/contract/directory';
import {
  createDirectoryCsv,
  openDirectoryFile,
} from '@steward/portal/src/features/directory/import/file/directory.csv.ts';
import { readCsv } from '@steward/portal/src/platform/csv/reader/csv-reader.ts';
import { call } from '@steward/server/testing/app/call.ts';
import { startApp, type TestApp } from '@steward/server/testing/app/start-app.ts';
import { createTeamWithMembers } from '@steward/server/testing/workspace/factories.ts';
import fc from 'fast-check';

const { signal } = new AbortController();
let node: TestApp;

before(async () => {
  node = await startApp({ work: false });
});

after(() => node[Symbol.asyncDispose]());

/** Any text, and texts that a spreadsheet or a reader could take for something else. */
const text = fc.oneof(
  fc.constantFrom('="007"', "'=1", "''007", "'", '=1+1', '@x', '-1', '+49 30 901820', 'sep=;', '"', ';', '\t1'),
  fc.constantFrom('1.55501E+11', '4,9e+11', '-5E+12', '007', '+49301', '???', '\uFEFFa', 'a\r\nb', 'Straße \uFB01'),
  fc.string({ unit: fc.constantFrom(...'\'"=+-@,;E1.\t\r\n ab\u0001\u0085é\u0301😀＝'), maxLength: 20 }),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const entry = fc
  .record({ name: text, phone_number: text, sms: text, email: fc.constantFrom('', "'a@example.com", '+a@example.com') })
  .filter((form) => EntryForm.safeParse(form).success);

it('a downloaded directory that is uploaded again changes nothing, whatever its texts are', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(entry, { minLength: 50, maxLength: 200 }), async (forms) => {
      const { admin, id } = await createTeamWithMembers(node);
      const to = { as: admin, params: { teamId: id } };
      assert.equal((await call(node, addEntries, { ...to, body: forms })).status, 200);
      const stored: Entry[] = (await call(node, listEntries, { ...to, query: { limit: '2000' } })).body.records;
      assert.equal(stored.length, forms.length);
      const csv = createDirectoryCsv();
      csv.add(stored);
      const source = new File([csv.finish()], 'compdir.csv');
      const file = await openDirectoryFile(source, signal, (opened, schema) => readCsv(opened, schema));
      const rows = (await Array.fromAsync(file.batches(signal))).flatMap((batch) => batch.rows);
      assert.deepEqual(
        rows.map(({ fault }) => fault).filter((fault) => fault !== undefined),
        [],
      );
      const reply = await call(node, uploadEntries, { ...to, body: rows.map(({ row }) => row) });
      const { created, changed, unchanged, errors } = reply.body;
      assert.deepEqual(
        { created, changed, unchanged, errors: errors.map((failed: FailedRow) => failed) },
        { created: 0, changed: 0, unchanged: forms.length, errors: [] },
      );
    }),
    { numRuns: 10 },
  );
});
