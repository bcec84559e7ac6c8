import { UPLOAD_BODY_MAX } from '@steward/contract/api/limits';
import type { FailedRow, UploadRow } from '@steward/contract/directory';
import type { FileRow } from '../file/directory.csv.ts';

/** A row that is not stored, and why. */
interface WrongRow {
  /** Its place in the batch. */
  place: number;
  row: UploadRow;
  error: string;
}

/** Rows that go in one call, with their places in the batch of the file. */
interface Part {
  rows: UploadRow[];
  places: number[];
}

/** What is needed of an answer here. */
interface BatchResult {
  errors: readonly Pick<FailedRow, 'row' | 'error'>[];
}

interface Sending<Judgement extends BatchResult> {
  /** Sends rows; nothing when the person does not want to go on. */
  send: (rows: UploadRow[]) => Promise<Judgement | undefined>;
  onAnswer: (answer: Judgement, rows: readonly FileRow[]) => void;
}

/** What became of the rows that were looked at. */
interface SentBatch {
  /** Rows that were answered or never could be sent. */
  done: number;
  /** Those that could not be read as rows of the file. */
  unreadable: number;
  wrong: WrongRow[];
}

/**
 * Sends one batch of the file without the rows that are wrong already, in as many calls as its size needs, and puts
 * both kinds of wrong rows together in the order of the file.
 */
export async function sendBatch<Judgement extends BatchResult>(
  rows: readonly FileRow[],
  { send, onAnswer }: Sending<Judgement>,
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

/** The parts are the same each time, so that a call that is made again carries the same rows under its key. */
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

/** In bytes of JSON at most: a control character is six of them. */
function getMaxSize({ id, name, phone_number, sms, email }: UploadRow): number {
  return 200 + 6 * (id.length + name.length + phone_number.length + sms.length + email.length);
}
