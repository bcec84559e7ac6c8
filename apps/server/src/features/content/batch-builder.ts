import { CONTENT_AUDIT_IDS_MAX, CONTENT_ERRORS_MAX } from '@steward/contract/api/limits';
import type { ContentLine, ContentResponse } from '@steward/contract/content';

export interface Line {
  at: number;
  item: ContentLine;
}

export type LineError = ContentResponse['errors'][number];

/** Lines that are stored in one transaction. No two of them are about the same item. */
export interface Batch {
  lines: Line[];
  errors: LineError[];
}

const LINES_MAX = 1_000;
const TEXT_MAX = 1024 * 1024;

export function createBatchBuilder() {
  let batch: Batch = { lines: [], errors: [] };
  let keys = new Set<string>();
  let characters = 0;
  const toKey = ({ kind, external_id }: ContentLine) => `${kind} ${external_id}`;
  return {
    /** If true, this batch must be stored before the item is added. */
    holds: (item: ContentLine) => keys.has(toKey(item)),
    add(line: Line, length: number): void {
      batch.lines.push(line);
      keys.add(toKey(line.item));
      characters += length;
    },
    refuse: (error: LineError) => void batch.errors.push(error),
    isFull: () => batch.lines.length + batch.errors.length >= LINES_MAX || characters >= TEXT_MAX,
    /** Returns the batch and starts a new one. */
    release(): Batch {
      const full = batch;
      batch = { lines: [], errors: [] };
      keys = new Set();
      characters = 0;
      return full;
    },
  };
}

export interface Tally {
  answer: ContentResponse;
  /** Ids of the first accepted items. */
  itemIds: string[];
  count(done: { accepted: number; unchanged: number; held: number; errors: LineError[]; itemIds: string[] }): void;
}

/** Sums up batches. Errors are in the order of their lines; those beyond the limit are only counted. */
export function createTally(): Tally {
  const answer: ContentResponse = { accepted: 0, unchanged: 0, held: 0, failed: 0, errors: [] };
  const itemIds: string[] = [];
  return {
    answer,
    itemIds,
    count({ accepted, unchanged, held, errors, itemIds: more }) {
      answer.accepted += accepted;
      answer.unchanged += unchanged;
      answer.held += held;
      answer.failed += errors.length;
      const listed = errors.toSorted((a, b) => a.line - b.line).slice(0, CONTENT_ERRORS_MAX - answer.errors.length);
      answer.errors.push(...listed);
      itemIds.push(...more.slice(0, CONTENT_AUDIT_IDS_MAX - itemIds.length));
    },
  };
}
