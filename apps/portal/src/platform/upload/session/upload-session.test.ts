import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { Failure } from '#platform/api/failure.ts';
import { createTestSession, fakeServer, getText, makeFile, row, stepAt, wrongRow } from './upload-fakes.ts';

const SOURCE = new File(['Name'], 'people.csv');
const REFUSED = new Failure({ status_code: 500, message: 'Something went wrong on our side.', id: 'server.error' });

describe('an upload', () => {
  it('previews every batch, then stores every batch, and counts', async () => {
    const server = fakeServer();
    const file = makeFile([row(2, 'Ada'), row(3, 'Bea')], [row(4, 'Cleo')]);
    const { session, ends } = createTestSession(server, file);
    session.choose(SOURCE);
    const { forecast } = await stepAt(session, 'preview');
    assert.deepEqual(forecast.counts, { created: 3, changed: 0, unchanged: 0, failed: 0 });
    assert.deepEqual(forecast.facts, { previewed: 3 });
    assert.equal(forecast.errorCsv, null);
    assert.deepEqual(server.names(), []);
    session.store();
    const { end } = await stepAt(session, 'result');
    assert.deepEqual(server.names(), ['Ada', 'Bea', 'Cleo']);
    assert.deepEqual(server.keys, ['import-0', 'import-1']);
    assert.deepEqual(server.finished, [{ cancelled: false, unreadable: 0 }]);
    assert.deepEqual(end.tally, { rows: 3, created: 3, changed: 0, unchanged: 0, failed: 0 });
    assert.equal(end.errorCsv, null);
    assert.deepEqual(ends, [end]);
    assert.equal(file.passes, 2);
    assert.equal(file.closed, 1);
  });

  it('returns the rows that the reader and the server rejected, in the order of the file', async () => {
    const server = fakeServer(['Bad 3', 'Bad 6']);
    const file = makeFile(
      [wrongRow(2, 'Ragged 2', 'has too many cells'), row(3, 'Bad 3'), row(4, 'Good 4')],
      [row(5, 'Good 5'), row(6, 'Bad 6'), wrongRow(7, 'Ragged 7', 'has too many cells')],
    );
    const { session } = createTestSession(server, file);
    session.choose(SOURCE);
    const { forecast } = await stepAt(session, 'preview');
    assert.deepEqual(forecast.counts, { created: 2, changed: 0, unchanged: 0, failed: 4 });
    assert.deepEqual(
      forecast.samples.failed.map(({ line, error }) => `${line} ${error}`),
      ['2 has too many cells', '3 is wrong', '6 is wrong', '7 has too many cells'],
    );
    const expected = [
      'Name,Note,Error',
      'Ragged 2,,has too many cells',
      'Bad 3,,is wrong',
      'Bad 6,,is wrong',
      'Ragged 7,,has too many cells',
    ];
    assert.deepEqual(await getText(forecast.errorCsv), expected);
    session.store();
    const { end } = await stepAt(session, 'result');
    assert.deepEqual(await getText(end.errorCsv), expected);
    assert.deepEqual(end.tally, { rows: 6, created: 2, changed: 0, unchanged: 0, failed: 4 });
    assert.deepEqual(server.finished, [{ cancelled: false, unreadable: 2 }]);
  });

  it('repeats a batch whose response was lost with the same key, and stores it once', async () => {
    const server = fakeServer();
    let lost = 1;
    server.fail.after = async (key) => {
      if (key === 'import-0' && lost-- > 0) throw new Failure({ status_code: 0, message: 'API error', id: 'x' });
    };
    const { session } = createTestSession(server, makeFile([row(2, 'Ada')], [row(3, 'Bea')]));
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.store();
    const { end } = await stepAt(session, 'result');
    assert.deepEqual(server.keys, ['import-0', 'import-0', 'import-1']);
    assert.deepEqual(server.names(), ['Ada', 'Bea']);
    assert.equal(end.tally.created, 2);
  });

  it('pauses at a persistent failure, and continues with that batch', async () => {
    const server = fakeServer();
    let failures = 2;
    server.fail.before = async (key) => {
      if (key === 'import-1' && failures-- > 0) throw REFUSED;
    };
    const { session } = createTestSession(server, makeFile([row(2, 'Ada')], [row(3, 'Bea')], [row(4, 'Cleo')]));
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.store();
    for (const _ of [1, 2]) {
      const { trouble, tally } = await stepAt(session, 'storing', (step) => step.trouble !== undefined);
      assert.equal(trouble, REFUSED);
      assert.equal(tally.rows, 1);
      session.decide('retry');
    }
    const { end } = await stepAt(session, 'result');
    assert.deepEqual(server.keys, ['import-0', 'import-1', 'import-1', 'import-1', 'import-2']);
    assert.deepEqual(server.names(), ['Ada', 'Bea', 'Cleo']);
    assert.deepEqual(server.finished, [{ cancelled: false, unreadable: 0 }]);
    assert.equal(end.cancelled, false);
  });

  it('can be stopped at a failure: the import is canceled and reports the stored rows', async () => {
    const server = fakeServer();
    server.fail.before = async (key) => {
      if (key === 'import-1') throw REFUSED;
    };
    const { session } = createTestSession(
      server,
      makeFile([row(2, 'Ada'), wrongRow(3, '', 'is cut')], [row(4, 'Bea')]),
    );
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.store();
    await stepAt(session, 'storing', (step) => step.trouble !== undefined);
    session.decide('stop');
    const { end } = await stepAt(session, 'result');
    assert.equal(end.cancelled, true);
    assert.deepEqual(end.tally, { rows: 2, created: 1, changed: 0, unchanged: 0, failed: 1 });
    assert.deepEqual(server.finished, [{ cancelled: true, unreadable: 1 }]);
    assert.equal(end.imported?.id, 'import');
  });

  it('is canceled after the current batch', async () => {
    const server = fakeServer();
    let arrive = () => {};
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve;
    });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    server.fail.before = async (key) => {
      if (key !== 'import-1') return;
      arrive();
      await held;
    };
    const { session } = createTestSession(server, makeFile([row(2, 'Ada')], [row(3, 'Bea')], [row(4, 'Cleo')]));
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.store();
    await arrived;
    session.cancel();
    await stepAt(session, 'storing', (step) => step.isStopping);
    release();
    const { end } = await stepAt(session, 'result');
    assert.deepEqual(server.names(), ['Ada', 'Bea']);
    assert.equal(end.tally.rows, 2);
    assert.equal(end.cancelled, true);
    assert.equal(end.fault, undefined);
    assert.deepEqual(server.finished, [{ cancelled: true, unreadable: 0 }]);
  });

  it('ends when the file can no longer be read, and keeps the stored rows', async () => {
    const server = fakeServer();
    const file = makeFile([row(2, 'Ada')]);
    const { session } = createTestSession(server, file);
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    const gone = new Error('The file has changed on disk.');
    file.batches = async function* () {
      yield { rows: [row(2, 'Ada')], read: 10 };
      throw gone;
    };
    session.store();
    const { end } = await stepAt(session, 'result');
    assert.equal(end.fault, gone);
    assert.deepEqual(server.names(), ['Ada']);
    assert.deepEqual(server.finished, [{ cancelled: true, unreadable: 0 }]);
  });

  it('fails if the file has fewer rows than in the preview', async () => {
    const server = fakeServer();
    const file = makeFile([row(2, 'Ada')], [row(3, 'Bea')]);
    const { session } = createTestSession(server, file);
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    file.batches = async function* () {
      yield { rows: [row(2, 'Ada')], read: 10 };
    };
    session.store();
    const { end } = await stepAt(session, 'result');
    assert.match(String(end.fault), /has changed since the preview/);
    assert.equal(end.cancelled, true);
    assert.deepEqual(server.finished, [{ cancelled: true, unreadable: 0 }]);
  });

  it('splits a batch that is too large for one call, always the same way', async () => {
    const server = fakeServer(['Bad']);
    const long = 'x'.repeat(4_000);
    const many = Array.from({ length: 60 }, (_, at) => row(at + 2, at === 50 ? 'Bad' : `Name ${at}`, { note: long }));
    const { session } = createTestSession(server, makeFile(many));
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.store();
    const { end } = await stepAt(session, 'result');
    assert.deepEqual(server.keys, ['import-0', 'import-1']);
    assert.equal(server.names().length, 59);
    assert.match((await getText(end.errorCsv))[1] ?? '', /^Bad,/);
  });

  it('reports why a file can’t be read, and accepts another', async () => {
    const fault = Object.assign(new Error('photo.png is not a CSV file.'), { hint: 'Choose a CSV file.' });
    const server = fakeServer();
    const { session } = createTestSession(server, fault);
    session.choose(SOURCE);
    const refused = await stepAt(session, 'choose', (step) => step.fault !== null);
    assert.deepEqual(refused.fault, { message: fault.message, hint: fault.hint, canRetry: false });

    const mute = createTestSession(server, new Error('')).session;
    mute.choose(SOURCE);
    const unknown = await stepAt(mute, 'choose', (step) => step.fault !== null);
    assert.equal(unknown.fault?.message, 'An error occurred on csv upload');
  });

  it('can read the file again after the server was not reached', async () => {
    const server = fakeServer();
    server.fail.before = async () => Promise.reject(REFUSED);
    const { session } = createTestSession(server, makeFile([row(2, 'Ada')]));
    session.choose(SOURCE);
    const { fault } = await stepAt(session, 'choose', (step) => step.fault !== null);
    assert.deepEqual(fault, { message: REFUSED.message, hint: undefined, canRetry: true });
    server.fail.before = async () => {};
    session.again();
    assert.equal((await stepAt(session, 'preview')).forecast.rows, 1);
  });

  it('keeps only the start of a huge cell', async () => {
    const huge = `${'x'.repeat(199)}😀${'y'.repeat(9_000)}`;
    const { session } = createTestSession(fakeServer(), makeFile([row(2, huge)]));
    session.choose(SOURCE);
    const { forecast } = await stepAt(session, 'preview');
    assert.equal(forecast.samples.first[0]?.row.name, `${'x'.repeat(199)}…`);
  });
});

describe('another encoding of the file in the preview', () => {
  const files = () => {
    const guessed = makeFile([row(2, 'Aäa')]);
    const chosen = { ...makeFile([row(2, 'Ada'), row(3, 'Bea')]), encoding: 'CP850' as const };
    return { guessed, chosen };
  };

  it('replaces the preview and the rows to store, and closes the other file', async () => {
    const server = fakeServer();
    const { guessed, chosen } = files();
    const { session } = createTestSession(server, async (encoding) => (encoding === 'CP850' ? chosen : guessed));
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.change({ encoding: 'CP850' });
    const during = await stepAt(session, 'preview', ({ rereading }) => rereading !== null);
    assert.deepEqual([during.forecast.rows, during.rereading?.choices.encoding], [1, 'CP850']);
    session.store();
    const { forecast, file } = await stepAt(session, 'preview', ({ rereading }) => rereading === null);
    assert.deepEqual([forecast.rows, file.encoding, guessed.closed, chosen.closed], [2, 'CP850', 1, 0]);
    session.store();
    await stepAt(session, 'result');
    assert.deepEqual(server.names(), ['Ada', 'Bea']);
    assert.equal(chosen.closed, 1);
  });

  it('that the file cannot be read in leaves the preview, which can be stored', async () => {
    const server = fakeServer();
    const { guessed } = files();
    const { session } = createTestSession(server, async (encoding) => {
      if (encoding === 'Shift_JIS') throw new Error('Not all of the file is Shift_JIS text.');
      return guessed;
    });
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.change({ encoding: 'Shift_JIS' });
    const { rereading } = await stepAt(session, 'preview', (step) => !!step.rereading?.fault);
    assert.equal(rereading?.fault?.message, 'Not all of the file is Shift_JIS text.');
    assert.equal(guessed.closed, 0);
    session.store();
    await stepAt(session, 'result');
    assert.deepEqual(server.names(), ['Aäa']);
  });

  it('can be replaced by a third one at once', async () => {
    const { guessed, chosen } = files();
    const { session } = createTestSession(fakeServer(), async (encoding) => (encoding === 'CP850' ? chosen : guessed));
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.change({ encoding: 'KOI8-R' });
    session.change({ encoding: 'CP850' });
    const { file } = await stepAt(session, 'preview', ({ rereading }) => rereading === null);
    assert.equal(file.encoding, 'CP850');
  });
});

describe('the choice for rows that match existing records', () => {
  it('is to keep them, and a changed one holds for the preview, the rows to store and another encoding', async () => {
    const server = fakeServer();
    const { session } = createTestSession(server, makeFile([row(2, 'Ada')], [row(3, 'Bea')]));
    session.choose(SOURCE);
    await stepAt(session, 'preview');
    session.change({ ifExists: 'update' });
    await stepAt(session, 'preview', ({ rereading }) => rereading === null);
    session.change({ encoding: 'CP850' });
    await stepAt(session, 'preview', ({ rereading }) => rereading === null);
    session.store();
    await stepAt(session, 'result');
    assert.deepEqual(server.choices, ['keep', 'keep', 'update', 'update', 'update', 'update', 'update', 'update']);
  });
});
