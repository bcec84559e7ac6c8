import assert from 'node:assert/strict';
import { Worker as Thread } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, describe, it } from 'vitest';
import { openCsvFile } from './csv-file.ts';
import { type CsvBatch, CsvError, type CsvSchema } from './csv-schema.ts';

const SCHEMA: CsvSchema = {
  columns: [{ name: 'name', label: 'Name' }],
  required: 'Name',
  unused: [],
  invalidMessage: 'This is no list.',
  errorMessage: 'It cannot be read.',
};

/** These are the globals of a browser's worker, for the script in a Node thread. */
const GLOBALS = `
  const { parentPort, workerData } = require('node:worker_threads');
  globalThis.addEventListener = (type, hear) => parentPort.on(type, (data) => hear({ data }));
  globalThis.postMessage = (data) => parentPort.postMessage(data);
  import(workerData);
`;

let script: URL | undefined;
const ends: Promise<unknown>[] = [];

/** Runs a browser's Worker as a Node thread. It loads `script`, if set, instead of the requested URL. */
function ThreadWorker(address: URL) {
  const thread = new Thread(GLOBALS, { eval: true, workerData: (script ?? address).href });
  const worker = new EventTarget();
  ends.push(new Promise((resolve) => thread.once('exit', resolve)));
  thread.on('message', (data) => worker.dispatchEvent(new MessageEvent('message', { data })));
  thread.on('error', () => worker.dispatchEvent(new Event('error')));
  return Object.assign(worker, {
    postMessage: (data: unknown) => thread.postMessage(data),
    terminate: () => void thread.terminate(),
  });
}

function getRows(batches: readonly CsvBatch[]): (string | undefined)[] {
  return batches.flatMap(({ rows }) => rows.map(({ cells }) => cells[0]));
}

const { signal } = new AbortController();
const NAMES = Array.from({ length: 5_000 }, (_, at) => `Name ${at}`);
const LIST = new File([`Name\r\n${NAMES.join('\r\n')}`], 'list.csv');

describe('a file that a worker reads', () => {
  beforeAll(() => Object.assign(globalThis, { Worker: ThreadWorker }));
  afterAll(() => Reflect.deleteProperty(globalThis, 'Worker'));

  // A test that leaves a worker behind waits here until its time is up.
  afterEach(async () => {
    assert.ok(ends.length > 0);
    await Promise.all(ends.splice(0));
  });

  it('returns its format, then its rows in any number of passes', async () => {
    const csv = await openCsvFile(LIST, SCHEMA, { signal });
    assert.equal(csv.encoding, 'UTF-8');
    assert.deepEqual(csv.header.places, [0]);
    for await (const { rows } of csv.batches(signal)) {
      assert.equal(rows.length, 2_000);
      break;
    }
    assert.deepEqual(getRows(await Array.fromAsync(csv.batches(signal))), NAMES);
    assert.deepEqual(getRows(await Array.fromAsync(csv.batches(signal))), NAMES);
    csv.close();
  });

  it('is rejected with a message and a hint', async () => {
    await assert.rejects(openCsvFile(new File([''], 'list.csv'), SCHEMA, { signal }), (thrown) => {
      assert.ok(thrown instanceof CsvError);
      assert.deepEqual([thrown.message, thrown.hint], [SCHEMA.invalidMessage, 'The file is empty.']);
      return true;
    });
    const broken = await openCsvFile(new File(['Name\na\n', 'b\n'.repeat(100_000), '"'], 'list.csv'), SCHEMA, {
      signal,
    });
    await assert.rejects(Array.fromAsync(broken.batches(signal)), /This is no list/);
    broken.close();
  });

  it('is abandoned when the signal aborts', async () => {
    await assert.rejects(openCsvFile(LIST, SCHEMA, { signal: AbortSignal.abort() }), /abort/);
    const ending = new AbortController();
    const opening = openCsvFile(LIST, SCHEMA, { signal: ending.signal });
    ending.abort();
    await assert.rejects(opening, /abort/);

    const csv = await openCsvFile(LIST, SCHEMA, { signal });
    const wish = new AbortController();
    const batches = csv.batches(wish.signal)[Symbol.asyncIterator]();
    const coming = batches.next();
    wish.abort();
    await assert.rejects(coming, /abort/);
    const other = csv.batches(signal)[Symbol.asyncIterator]().next();
    csv.close();
    await assert.rejects(other, /abort/);
  });

  it('fails with our message if the worker fails', async () => {
    for (const text of [
      'throw new Error("x")',
      'addEventListener("message", ({ data }) => postMessage({ call: data.call, error: { message: "" } }))',
    ]) {
      script = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
      await assert.rejects(openCsvFile(LIST, SCHEMA, { signal }), (thrown) => {
        assert.ok(thrown instanceof CsvError);
        assert.equal(thrown.message, SCHEMA.errorMessage);
        return true;
      });
    }
    script = undefined;
  });
});
