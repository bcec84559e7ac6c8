import { isId } from '@steward/contract/api/fields';

export interface SeenIds {
  /** If the id is new, it is remembered with `line`. */
  getEarlierLine(id: string, line: number): number | undefined;
}

/** Ids are stored one after another in `entries`; `index` maps their hash to a position that starts at 1, with 0 for none. */
interface Table {
  entries: Uint32Array;
  index: Uint32Array;
  count: number;
}

/** Six characters of 36 fit into 32 bits, so an id takes five numbers. The sixth number is its line. */
const ID_WORDS = 5;
const WORDS = ID_WORDS + 1;
const FIRST_CAPACITY = 1_024;

/**
 * A million ids take 33 MB; strings would take three times as much. Invalid ids are not remembered, because the server rejects them anyway.
 */
export function createSeenIds(): SeenIds {
  let table = emptyTable(FIRST_CAPACITY);
  const words = new Uint32Array(ID_WORDS);
  return {
    getEarlierLine(id, line) {
      if (!isId(id)) return undefined;
      for (let at = 0; at < ID_WORDS; at += 1) words[at] = Number.parseInt(id.slice(6 * at, 6 * at + 6), 36);
      const place = table.index[findSlot(table, words)] ?? 0;
      if (place > 0) return table.entries[place * WORDS - 1];
      if (table.count * WORDS === table.entries.length) table = doubled(table);
      put(table, words, line);
      return undefined;
    },
  };
}

/** At most half of the index is used, so that a lookup takes few steps. */
function emptyTable(capacity: number): Table {
  return { entries: new Uint32Array(WORDS * capacity), index: new Uint32Array(2 * capacity), count: 0 };
}

function doubled({ entries, count }: Table): Table {
  const larger = emptyTable(2 * count);
  for (let at = 0; at < count * WORDS; at += WORDS) {
    put(larger, entries.subarray(at, at + ID_WORDS), entries[at + ID_WORDS] ?? 0);
  }
  return larger;
}

function put(table: Table, words: Uint32Array, line: number): void {
  const at = table.count * WORDS;
  table.entries.set(words, at);
  table.entries[at + ID_WORDS] = line;
  table.count += 1;
  table.index[findSlot(table, words)] = table.count;
}

function findSlot({ entries, index }: Table, words: Uint32Array): number {
  const last = index.length - 1;
  let hash = 0;
  for (const word of words) hash = Math.imul(hash ^ word ^ (hash >>> 15), 0x9e3779b1);
  let slot = (hash ^ (hash >>> 13)) & last;
  for (;;) {
    const place = index[slot] ?? 0;
    if (place === 0) return slot;
    const at = (place - 1) * WORDS;
    if (words.every((word, offset) => entries[at + offset] === word)) return slot;
    slot = (slot + 1) & last;
  }
}
