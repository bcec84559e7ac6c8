// Rows, read from the connection without an object for each: https://www.postgresql.org/docs/current/protocol-message-formats.html

import type { Duplex } from 'node:stream';
import { divert } from './read-socket.ts';

/**
 * Takes a row: the bytes from `start` to before `end`, which are overwritten afterwards. A row of COPY is text with a line feed, one of
 * another statement the content of its message DataRow.
 */
export type TakeRow = (bytes: Buffer, start: number, end: number) => void;

const READY_FOR_QUERY = 90;
/** Types of the messages that rows arrive in. */
const ROWS = { copied: 100, selected: 68 };
/** Bytes of the type of a message, and with its length, which counts itself but not the type. */
const [TYPE, HEADER] = [1, 5];
/** Bytes for a message that arrives in two pieces; most rows are shorter. */
const USUAL_MESSAGE = 4096;
const NOTHING = Buffer.alloc(0);

/** Which rows are taken, and by what. */
export interface Taking {
  rows: keyof typeof ROWS;
  /** What takes the next row; undefined to leave it to pg. */
  getTaker(): TakeRow | undefined;
}

/**
 * Takes rows of the next statements of a connection, until PostgreSQL is ready for more. All other messages are left to pg. The
 * connection must be idle, because a message that has arrived in part would be cut in two.
 */
export function takeRows(socket: Duplex, { rows, getTaker }: Taking): void {
  const row = ROWS[rows];
  let current: Buffer | undefined;
  /** Messages of the current bytes that pg hasn't been given yet: several at once take it as long as one. */
  let [from, to] = [0, 0];
  let isOver = false;
  const forward = () => {
    if (from < to) diversion.forward(Buffer.from((current as Buffer).subarray(from, to)));
    from = to;
  };
  const leave = (bytes: Buffer, start: number, end: number) => {
    if (bytes !== current) return diversion.forward(Buffer.from(bytes.subarray(start, end)));
    if (from === to) from = start;
    to = end;
  };
  const split = splitMessages((bytes, start, end) => {
    if (bytes[start] === row) {
      // Which statement it belongs to depends on what pg has been given.
      forward();
      const take = getTaker();
      if (take) {
        take(bytes, start + HEADER, end);
        return true;
      }
    }
    isOver = bytes[start] === READY_FOR_QUERY;
    // First, since pg then starts the next statement.
    if (isOver) diversion.end();
    leave(bytes, start, end);
    return !isOver;
  });
  const diversion = divert(socket, (chunk) => {
    current = chunk;
    [from, to] = [0, 0];
    const end = split(chunk);
    // What follows the last message is for pg too.
    if (isOver) [from, to] = [from === to ? end : from, chunk.length];
    forward();
    current = undefined;
  });
}

/** Takes a whole message: the bytes from `start` to before `end`. Returns whether to go on. */
type TakeMessage = (bytes: Buffer, start: number, end: number) => boolean;

/**
 * Returns what takes bytes that are cut anywhere, and gives `take` whole messages. It returns how many bytes it took: all, unless a
 * message was the last one.
 */
export function splitMessages(take: TakeMessage): (chunk: Buffer) => number {
  let started = NOTHING;
  let length = 0;
  /** Takes from the chunk what a started message lacks to be of that size, and returns where the rest is. */
  const fill = (chunk: Buffer, at: number, size: number): number => {
    if (started.length < size) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, USUAL_MESSAGE));
      started.copy(larger, 0, 0, length);
      started = larger;
    }
    const taken = Math.max(0, Math.min(size - length, chunk.length - at));
    chunk.copy(started, length, at, at + taken);
    length += taken;
    return at + taken;
  };
  return (chunk) => {
    let at = 0;
    if (length > 0) {
      at = fill(chunk, at, HEADER);
      if (length < HEADER) return at;
      const size = getSize(started, 0);
      at = fill(chunk, at, size);
      if (length < size) return at;
      length = 0;
      if (!take(started, 0, size)) return at;
    }
    while (at + HEADER <= chunk.length) {
      const size = getSize(chunk, at);
      if (at + size > chunk.length) break;
      at += size;
      if (!take(chunk, at - size, at)) return at;
    }
    return at < chunk.length ? fill(chunk, at, chunk.length - at) : at;
  };
}

/** Bytes of a message whose header is there. */
function getSize(bytes: Buffer, at: number): number {
  return TYPE + bytes.readUInt32BE(at + TYPE);
}
