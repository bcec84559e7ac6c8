import type { EntryInsert } from '#features/directory/entries/entries.store.ts';
import { createNameGenerator, getEmailDomain, type Recipe } from './generate-people.ts';
import { randomPhoneNumber } from './random-phone-number.ts';
import { computeSeedDigest, createRandom, getIds } from './seeded-random.ts';
import { DESKS, MAKERS, PLACES, TRADES, WHERES } from './word-lists.ts';

type Kind = 'member' | 'outsider' | 'place' | 'company';

/**
 * What the entries are, in turns of 21: people's names come in turns of twenty, and no kind shall have the same names only.
 * A member has the address of the person with the same number.
 */
const TURN = `place member outsider member company outsider member member outsider place member
  company outsider member outsider member place outsider member company member`.split(/\s+/) as Kind[];
const RANKS = TURN.map((kind, at) => TURN.slice(0, at).filter((earlier) => earlier === kind).length);

interface Maker {
  getName(number: number): { name: string; local: string };
  getOutsiderName(number: number): { name: string; local: string };
  domain: string;
}

/** Entries number `from` to `from + count - 1` of the recipe, to go with its people. */
export function generateEntries(recipe: Recipe, from: number, count: number): EntryInsert[] {
  const digest = computeSeedDigest(recipe.key, recipe.seed);
  const getId = getIds(digest);
  const outside = { ...recipe, key: `${recipe.key} outside` };
  const maker = {
    getName: createFullNameGenerator(recipe),
    getOutsiderName: createFullNameGenerator(outside),
    domain: getEmailDomain(recipe),
  };
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const roll = createRandom(digest, number);
    const { name, email } = generateNameAndEmail(maker, number, roll(0));
    return { id: getId(number), name, email: roll(1) % 100 < 85 ? email : '', ...randomPhoneNumbers(roll) };
  });
}

function createFullNameGenerator(recipe: Recipe) {
  const getName = createNameGenerator(recipe);
  return (number: number) => {
    const { first_name, last_name, local } = getName(number);
    return { name: `${first_name} ${last_name}`, local };
  };
}

function generateNameAndEmail(maker: Maker, number: number, roll: number): { name: string; email: string } {
  const slot = number % TURN.length;
  const kind = TURN[slot] ?? 'member';
  if (kind === 'member') {
    const { name, local } = maker.getName(number);
    return { name, email: `${local}@${maker.domain}` };
  }
  if (kind === 'outsider') {
    const { name, local } = maker.getOutsiderName(number);
    return { name, email: `${local}@${generateCompany(roll).domain}` };
  }
  const share = TURN.filter((other) => other === kind).length;
  const nth = Math.floor(number / TURN.length) * share + (RANKS[slot] ?? 0);
  return kind === 'place' ? generatePlace(nth, maker.domain) : generateCompany(nth);
}

function generatePlace(nth: number, domain: string): { name: string; email: string } {
  const where = WHERES[Math.floor(nth / PLACES.length) % WHERES.length];
  const round = Math.floor(nth / PLACES.length / WHERES.length);
  const place = `${PLACES[nth % PLACES.length]}${where === '' ? '' : `, ${where}`}${toOrdinalSuffix(round)}`;
  return { name: place, email: `${toSlug(place)}@${domain}` };
}

function generateCompany(nth: number): { name: string; email: string; domain: string } {
  // Neighbours differ in both words, and no pair comes twice before all of them came.
  const round = Math.floor(nth / MAKERS.length / TRADES.length);
  const company = `${MAKERS[nth % MAKERS.length]} ${TRADES[nth % TRADES.length]}`;
  const domain = `${toSlug(company)}.example.${['com', 'org', 'net'][(nth % MAKERS.length) % 3]}`;
  return { name: `${company}${toOrdinalSuffix(round)}`, email: `${DESKS[nth % DESKS.length]}@${domain}`, domain };
}

function toOrdinalSuffix(round: number): string {
  return round === 0 ? '' : ` ${round + 1}`;
}

function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function randomPhoneNumbers(roll: (purpose: number) => number): { phone_number: string; sms: string } {
  if (roll(2) % 100 < 6) return { phone_number: '', sms: '' };
  const phone_number = randomPhoneNumber(roll(3));
  if (roll(4) % 100 < 47) return { phone_number, sms: '' };
  return { phone_number, sms: roll(5) % 3 === 0 ? phone_number : randomPhoneNumber(roll(6)) };
}
