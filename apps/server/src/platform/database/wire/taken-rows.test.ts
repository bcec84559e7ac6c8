import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { createReadSocket } from './read-socket.ts';
import { splitMessages, type TakeRow, takeRows } from './taken-rows.ts';

/** A message of PostgreSQL. */
function message(type: string, content: string): Buffer {
  const header = Buffer.alloc(5, type);
  header.writeUInt32BE(Buffer.byteLength(content) + 4, 1);
  return Buffer.concat([header, Buffer.from(content)]);
}

const LONG = randomBytes(10_000).toString('base64');
const ROWS = ['', '1\tä\n', '\n', `${LONG}\n`, '2\n', `${'x'.repeat(4_090)}\n`, '3\n'];

test('messages are whole wherever the bytes were cut', () => {
  const bytes = Buffer.concat([message('H', ''), ...ROWS.map((row) => message('d', row)), message('c', '')]);
  for (const size of [1, 2, 3, 4, 5, 6, 7, 11, 4_096, 65_536, bytes.length]) {
    const received: Buffer[] = [];
    const split = splitMessages((from, start, end) => {
      received.push(Buffer.from(from.subarray(start, end)));
      return true;
    });
    for (let at = 0; at < bytes.length; at += size) {
      const chunk = Buffer.from(bytes.subarray(at, at + size));
      split(chunk);
      // As the next read does.
      chunk.fill('!');
    }
    assert.ok(Buffer.concat(received).equals(bytes), `cut every ${size} bytes`);
    assert.equal(received.length, ROWS.length + 2);
  }
});

/** A server that sends the first text to who connects, and each other one when something was sent to it. */
async function serve(t: TestContext, [first, ...others]: readonly [Buffer, ...Buffer[]]): Promise<number> {
  const server = createServer((peer) => {
    const left = [...others];
    peer.write(first);
    peer.on('data', () => {
      peer.write(left.shift() ?? '');
      if (left.length === 0) peer.end();
    });
  });
  t.after(() => void server.close());
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}

const join = (...parts: Buffer[]) => Buffer.concat(parts);
const READY = message('Z', 'I');
const OUT = message('H', 'columns');
const NOTICE = message('N', 'of any time');
const NO_ROW = message('d', 'outside of a statement that is copied');

describe('rows of a connection', () => {
  for (const [name, options] of [
    ['that reads into one buffer', {}],
    ['with TLS', { ssl: true }],
  ] as const) {
    test(`${name} are taken until PostgreSQL is ready, and pg gets everything else`, async (t) => {
      const rows = join(...ROWS.map((row) => message('d', row)));
      const replies = [join(OUT, rows, READY, NOTICE), join(NOTICE, message('d', 'further'), READY), NO_ROW] as const;
      const port = await serve(t, replies);
      const socket = createReadSocket(options);
      const taken: [string[], string[]] = [[], []];
      const toPg: Buffer[] = [];
      let isFurther = false;
      const run = (at: 0 | 1) => {
        const take: TakeRow = (from, start, end) => taken[at].push(from.toString('utf8', start, end));
        takeRows(socket, { rows: 'copied', getTaker: () => take });
      };
      socket.on('data', (bytes) => {
        toPg.push(bytes);
        if (!bytes.includes(READY)) return;
        // As pg does, which starts the next statement when it hears that this one is over.
        if (!isFurther) run(1);
        isFurther = true;
        socket.write('next');
      });
      run(0);
      socket.connect(port, '127.0.0.1');
      await once(socket, 'close');
      assert.ok(taken[0].join() === ROWS.join());
      assert.deepEqual(taken[1], ['further']);
      const rest = join(OUT, READY, NOTICE, NOTICE, READY, NO_ROW);
      assert.equal(Buffer.concat(toPg).toString('latin1'), rest.toString('latin1'));
    });
  }
});

test('what pg keeps of one connection is not overwritten by another', async (t) => {
  const read = async (letter: string) => {
    const sent = Buffer.from(letter.repeat(10_000));
    const socket = createReadSocket({}).connect(await serve(t, [sent, sent]), '127.0.0.1');
    const kept: Buffer[] = [];
    socket.on('data', (bytes) => kept.push(bytes)).write('more');
    await once(socket, 'close');
    return kept;
  };
  const letters = [...'abcdef'];
  const kept = await Promise.all(letters.map(read));
  for (const [at, letter] of letters.entries())
    assert.ok(Buffer.concat(kept[at] ?? []).toString() === letter.repeat(20_000), letter);
});
