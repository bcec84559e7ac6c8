import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Worker as Thread } from 'node:worker_threads';
import { openCsvFile } from './csv-file.ts';
import { type CsvBatch, CsvError, type CsvSchema } from './csv-schema.ts';

const SCHEMA: CsvSchema = {
  columns: [{ name: 'name', label: 'Name' }],
  required: 'Name',
  unused: [],
  invalidMessage: 'This is no list.',
  errorMessage: 'It cannot be read.',
};

/** What a worker of a browser has, for the script in a thread of Node. */
const GLOBALS = `
  const { parentPort, workerData } = require('node:worker_threads');
  globalThis.addEventListener = (type, hear) => parentPort.on(type, (data) => hear({ data }));
  globalThis.postMessage = (data) => parentPort.postMessage(data);
  import(workerData);
`;

let script: URL | undefined;
/** One for each worker that was started. */
const ends: Promise<unknown>[] = [];

/** A browser's Worker that is a thread of Node; it loads `script` instead of what it is asked for, when there is one. */
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

describe('a file that a worker reads', { timeout: 60_000 }, () => {
  before(() => Object.assign(globalThis, { Worker: ThreadWorker }));
  after(() => Reflect.deleteProperty(globalThis, 'Worker'));

  it('gives its facts, then its rows in as many passes as are wanted', async () => {
    const csv = await openCsvFile(LIST, SCHEMA, signal);
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

  it('is refused with its message and its hint', async () => {
    await assert.rejects(openCsvFile(new File([''], 'list.csv'), SCHEMA, signal), (thrown) => {
      assert.ok(thrown instanceof CsvError);
      assert.deepEqual([thrown.message, thrown.hint], [SCHEMA.invalidMessage, 'The file is empty.']);
      return true;
    });
    const broken = await openCsvFile(new File(['Name\na\n', 'b\n'.repeat(100_000), '"'], 'list.csv'), SCHEMA, signal);
    await assert.rejects(Array.fromAsync(broken.batches(signal)), /This is no list/);
    broken.close();
  });

  it('is given up as soon as nobody wants it', async () => {
    await assert.rejects(openCsvFile(LIST, SCHEMA, AbortSignal.abort()), /abort/);
    const ending = new AbortController();
    const opening = openCsvFile(LIST, SCHEMA, ending.signal);
    ending.abort();
    await assert.rejects(opening, /abort/);

    const csv = await openCsvFile(LIST, SCHEMA, signal);
    const wish = new AbortController();
    const batches = csv.batches(wish.signal)[Symbol.asyncIterator]();
    const coming = batches.next();
    wish.abort();
    await assert.rejects(coming, /abort/);
    const other = csv.batches(signal)[Symbol.asyncIterator]().next();
    csv.close();
    await assert.rejects(other, /abort/);
  });

  it('fails with our words when the worker itself does', async () => {
    for (const text of [
      'throw new Error("x")',
      'addEventListener("message", ({ data }) => postMessage({ call: data.call, error: { message: "" } }))',
    ]) {
      script = new URL(`data:text/javascript,${encodeURIComponent(text)}`);
      await assert.rejects(openCsvFile(LIST, SCHEMA, signal), (thrown) => {
        assert.ok(thrown instanceof CsvError);
        assert.equal(thrown.message, SCHEMA.errorMessage);
        return true;
      });
    }
    script = undefined;
  });

  it('leaves no worker behind, however it ended', async () => {
    assert.ok(ends.length > 5);
    await Promise.all(ends);
  });
});
