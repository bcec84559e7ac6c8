import type { FileRow } from './upload-file.ts';
import type { BatchAnswer } from './upload-kind.ts';

interface WrongRow<Row> {
  /** The index in the batch. */
  place: number;
  row: Row;
  error: string;
}

/** Rows of one call, with their indexes in the batch. */
interface Part<Row> {
  rows: Row[];
  places: number[];
}

interface Sending<Row, Result extends BatchAnswer> {
  /** Largest body of a call, in bytes. */
  bodyMax: number;
  /** Returns undefined once the user stops. */
  send: (rows: Row[]) => Promise<Result | undefined>;
  onAnswer: (answer: Result, rows: readonly FileRow<Row>[]) => void;
}

interface SentBatch<Row> {
  /** Number of rows that the server processed or that couldn't be sent. */
  done: number;
  /** Number of those that couldn't be sent. */
  unreadable: number;
  wrong: WrongRow<Row>[];
}

/**
 * Sends one batch of the file without the rows already known to be wrong, in as many calls as its size requires, and
 * returns all wrong rows in the order of the file.
 */
export async function sendBatch<Row extends object, Result extends BatchAnswer>(
  rows: readonly FileRow<Row>[],
  { bodyMax, send, onAnswer }: Sending<Row, Result>,
): Promise<SentBatch<Row>> {
  const errors = rows.map(({ fault }) => fault);
  let done = rows.length;
  for (const part of getParts(rows, bodyMax)) {
    const answer = await send(part.rows);
    if (answer === undefined) {
      done = part.places[0] ?? 0;
      break;
    }
    for (const { row, error } of answer.errors) errors[part.places[row] ?? -1] = error;
    onAnswer(
      answer,
      part.places.flatMap((place) => rows[place] ?? []),
    );
  }
  const seen = rows.slice(0, done);
  return {
    done,
    unreadable: seen.filter(({ fault }) => fault !== undefined).length,
    wrong: seen.flatMap(({ row }, place) => {
      const error = errors[place];
      return error === undefined ? [] : [{ place, row, error }];
    }),
  };
}

/** Splits a batch the same way each time, so that a repeated call has the same rows for its key. */
function getParts<Row extends object>(rows: readonly FileRow<Row>[], bodyMax: number): Part<Row>[] {
  const parts: Part<Row>[] = [];
  let part: Part<Row> = { rows: [], places: [] };
  let size = 0;
  for (const [place, { row, fault }] of rows.entries()) {
    if (fault !== undefined) continue;
    const more = getMaxSize(row);
    if (part.rows.length > 0 && size + more > bodyMax) {
      parts.push(part);
      part = { rows: [], places: [] };
      size = 0;
    }
    part.rows.push(row);
    part.places.push(place);
    size += more;
  }
  return part.rows.length > 0 ? [...parts, part] : parts;
}

/** Maximum size as JSON, in bytes: a control character takes six. */
function getMaxSize(row: object): number {
  let length = 0;
  for (const text of Object.values(row)) if (typeof text === 'string') length += text.length;
  return 200 + 6 * length;
}
