export interface Searchable {
  label: string;
  /** Additional search words. */
  words: string;
}

export function normalizeText(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase();
}

/**
 * Items that match every word of `query`, best first. Equal matches keep their order, and typos are allowed only if nothing
 * matches exactly.
 */
export function matching<Item extends Searchable>(query: string, items: readonly Item[]): Item[] {
  const wanted = splitWords(query);
  if (wanted.length === 0) return [];
  const exact = rankItems(items, (item) => getRank(wanted, item, getMatchScore));
  return exact.length > 0 ? exact : rankItems(items, (item) => getRank(wanted, item, getTypoScore));
}

function rankItems<Item>(items: readonly Item[], rank: (item: Item) => number): Item[] {
  return items
    .map((item) => ({ item, at: rank(item) }))
    .filter(({ at }) => at < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

function splitWords(text: string): string[] {
  return normalizeText(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

type ScoreFunction = (wanted: string, word: string) => number;

/** A match of an additional word ranks this much below a match of the label. */
const KEYWORD_PENALTY = 4;

/** 0 is the best rank. It is infinite if a word of the query matches nothing. */
function getRank(wanted: readonly string[], { label, words }: Searchable, fit: ScoreFunction): number {
  const labelWords = splitWords(label);
  const further = splitWords(words);
  return wanted.reduce((sum, word) => {
    const best = Math.min(
      ...labelWords.map((own) => fit(word, own)),
      ...further.map((own) => fit(word, own) + KEYWORD_PENALTY),
      Number.POSITIVE_INFINITY,
    );
    return sum + best;
  }, 0);
}

function getMatchScore(wanted: string, word: string): number {
  if (word === wanted) return 0;
  if (word.startsWith(wanted)) return 1;
  return wanted.length > 2 && word.includes(wanted) ? 3 : Number.POSITIVE_INFINITY;
}

/** Allows one typo in words of four characters or more, two in words of eight or more; the first character must match. */
function getTypoScore(wanted: string, word: string): number {
  const fit = getMatchScore(wanted, word);
  if (fit < Number.POSITIVE_INFINITY || wanted.length < 4 || wanted[0] !== word[0]) return fit;
  return countTypos(wanted, word) <= (wanted.length < 8 ? 1 : 2) ? 6 : Number.POSITIVE_INFINITY;
}

/** Counts the letters to change, add or remove until `word` starts with `wanted`. */
function countTypos(wanted: string, word: string): number {
  let row = Array.from({ length: word.length + 1 }, (_, at) => at);
  for (const [at, character] of [...wanted].entries()) {
    const next = [at + 1];
    for (let to = 1; to <= word.length; to += 1) {
      const changed = (row[to - 1] ?? 0) + (word[to - 1] === character ? 0 : 1);
      next.push(Math.min(changed, (row[to] ?? 0) + 1, (next[to - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(...row);
}
