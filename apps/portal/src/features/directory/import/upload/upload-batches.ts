import { UPLOAD_BODY_MAX } from '@steward/contract/api/limits';
import type { FailedRow, UploadRow } from '@steward/contract/directory';
import type { FileRow } from '../file/directory.csv.ts';

/** A row that was rejected, and why. */
interface WrongRow {
  /** Its index in the batch. */
  place: number;
  row: UploadRow;
  error: string;
}

/** Rows of one call, with their indexes in the batch. */
interface Part {
  rows: UploadRow[];
  places: number[];
}

/** The part of a response that is used here. */
interface BatchResult {
  errors: readonly Pick<FailedRow, 'row' | 'error'>[];
}

interface Sending<Result extends BatchResult> {
  /** Sends rows; undefined once the user stops. */
  send: (rows: UploadRow[]) => Promise<Result | undefined>;
  onAnswer: (answer: Result, rows: readonly FileRow[]) => void;
}

/** Outcome of a batch. */
interface SentBatch {
  /** Number of rows that were answered or couldn't be sent. */
  done: number;
  /** Number of those that couldn't be sent. */
  unreadable: number;
  wrong: WrongRow[];
}

/**
 * Sends one batch of the file without the rows already known to be wrong, in as many calls as its size requires, and
 * returns all wrong rows in the order of the file.
 */
export async function sendBatch<Result extends BatchResult>(
  rows: readonly FileRow[],
  { send, onAnswer }: Sending<Result>,
): Promise<SentBatch> {
  const errors = rows.map(({ fault }) => fault);
  let done = rows.length;
  for (const part of getParts(rows)) {
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
function getParts(rows: readonly FileRow[]): Part[] {
  const parts: Part[] = [];
  let part: Part = { rows: [], places: [] };
  let size = 0;
  for (const [place, { row, fault }] of rows.entries()) {
    if (fault !== undefined) continue;
    const more = getMaxSize(row);
    if (part.rows.length > 0 && size + more > UPLOAD_BODY_MAX) {
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
function getMaxSize({ id, name, phone_number, sms, email }: UploadRow): number {
  return 200 + 6 * (id.length + name.length + phone_number.length + sms.length + email.length);
}
