import { CONTENT_ERRORS_MAX } from '@steward/contract/api/limits';
import type { ContentLine, ContentResponse } from '@steward/contract/content';

/** A line that may be stored. */
export interface Line {
  at: number;
  item: ContentLine;
}

/** A line that was refused; as the answer tells it. */
export type LineError = ContentResponse['errors'][number];

/** Lines that are stored together, in one transaction. No two of them mean the same item. */
export interface Batch {
  lines: Line[];
  errors: LineError[];
}

const LINES_MAX = 1_000;
const TEXT_MAX = 1024 * 1024;

/** Gathers lines until a batch of them is full. */
export function createBatchBuilder() {
  let batch: Batch = { lines: [], errors: [] };
  let keys = new Set<string>();
  let characters = 0;
  const toKey = ({ kind, external_id }: ContentLine) => `${kind} ${external_id}`;
  return {
    /** Whether what was gathered must be stored before this item, since it means one that is among it. */
    holds: (item: ContentLine) => keys.has(toKey(item)),
    add(line: Line, length: number): void {
      batch.lines.push(line);
      keys.add(toKey(line.item));
      characters += length;
    },
    refuse: (error: LineError) => void batch.errors.push(error),
    isFull: () => batch.lines.length + batch.errors.length >= LINES_MAX || characters >= TEXT_MAX,
    /** Hands over what was gathered, and begins anew. */
    release(): Batch {
      const full = batch;
      batch = { lines: [], errors: [] };
      keys = new Set();
      characters = 0;
      return full;
    },
  };
}

/** What becomes of all lines of a call. */
export interface Tally {
  answer: ContentResponse;
  count(done: { accepted: number; unchanged: number; errors: LineError[] }): void;
}

/** Counts batches together; errors in the order of their lines, and only counted when they are too many to tell. */
export function createTally(): Tally {
  const answer: ContentResponse = { accepted: 0, unchanged: 0, failed: 0, errors: [] };
  return {
    answer,
    count({ accepted, unchanged, errors }) {
      answer.accepted += accepted;
      answer.unchanged += unchanged;
      answer.failed += errors.length;
      const told = errors.toSorted((a, b) => a.line - b.line).slice(0, CONTENT_ERRORS_MAX - answer.errors.length);
      answer.errors.push(...told);
    },
  };
}
