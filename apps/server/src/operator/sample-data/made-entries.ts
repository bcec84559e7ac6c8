import type { ReadyEntry } from '#features/directory/entries/entries.store.ts';
import { digestOf, idsOf, rollsOf } from './chance.ts';
import { madeNumber } from './made-numbers.ts';
import { domainFor, namerFor, type Recipe } from './made-people.ts';
import { DESKS, MAKERS, PLACES, TRADES, WHERES } from './made-words.ts';

type Kind = 'member' | 'outsider' | 'place' | 'company';

/**
 * What the entries are, in turns of 21: people's names come in turns of twenty, and no kind shall have the same names only.
 * A member has the address of the person with the same number.
 */
const TURN = `place member outsider member company outsider member member outsider place member
  company outsider member outsider member place outsider member company member`.split(/\s+/) as Kind[];
const RANKS = TURN.map((kind, at) => TURN.slice(0, at).filter((earlier) => earlier === kind).length);

interface Maker {
  nameOf(number: number): { name: string; local: string };
  outsiderOf(number: number): { name: string; local: string };
  domain: string;
}

/** Entries number `from` to `from + count - 1` of the recipe, to go with its people. */
export function makeEntries(recipe: Recipe, from: number, count: number): ReadyEntry[] {
  const digest = digestOf(recipe.key, recipe.seed);
  const idOf = idsOf(digest);
  const outside = { ...recipe, key: `${recipe.key} outside` };
  const maker = { nameOf: fullNames(recipe), outsiderOf: fullNames(outside), domain: domainFor(recipe) };
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const roll = rollsOf(digest, number);
    const { name, email } = whoOrWhat(maker, number, roll(0));
    return { id: idOf(number), name, email: roll(1) % 100 < 85 ? email : '', ...numbersOf(roll) };
  });
}

function fullNames(recipe: Recipe) {
  const nameOf = namerFor(recipe);
  return (number: number) => {
    const { first_name, last_name, local } = nameOf(number);
    return { name: `${first_name} ${last_name}`, local };
  };
}

function whoOrWhat(maker: Maker, number: number, roll: number): { name: string; email: string } {
  const slot = number % TURN.length;
  const kind = TURN[slot] ?? 'member';
  if (kind === 'member') {
    const { name, local } = maker.nameOf(number);
    return { name, email: `${local}@${maker.domain}` };
  }
  if (kind === 'outsider') {
    const { name, local } = maker.outsiderOf(number);
    return { name, email: `${local}@${companyNumber(roll).domain}` };
  }
  const share = TURN.filter((other) => other === kind).length;
  const nth = Math.floor(number / TURN.length) * share + (RANKS[slot] ?? 0);
  return kind === 'place' ? placeNumber(nth, maker.domain) : companyNumber(nth);
}

function placeNumber(nth: number, domain: string): { name: string; email: string } {
  const where = WHERES[Math.floor(nth / PLACES.length) % WHERES.length];
  const round = Math.floor(nth / PLACES.length / WHERES.length);
  const place = `${PLACES[nth % PLACES.length]}${where === '' ? '' : `, ${where}`}${nthOf(round)}`;
  return { name: place, email: `${slugOf(place)}@${domain}` };
}

function companyNumber(nth: number): { name: string; email: string; domain: string } {
  // Neighbours differ in both words, and no pair comes twice before all of them came.
  const round = Math.floor(nth / MAKERS.length / TRADES.length);
  const company = `${MAKERS[nth % MAKERS.length]} ${TRADES[nth % TRADES.length]}`;
  const domain = `${slugOf(company)}.example.${['com', 'org', 'net'][(nth % MAKERS.length) % 3]}`;
  return { name: `${company}${nthOf(round)}`, email: `${DESKS[nth % DESKS.length]}@${domain}`, domain };
}

function nthOf(round: number): string {
  return round === 0 ? '' : ` ${round + 1}`;
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function numbersOf(roll: (purpose: number) => number): { phone_number: string; sms: string } {
  if (roll(2) % 100 < 6) return { phone_number: '', sms: '' };
  const phone_number = madeNumber(roll(3));
  if (roll(4) % 100 < 47) return { phone_number, sms: '' };
  return { phone_number, sms: roll(5) % 3 === 0 ? phone_number : madeNumber(roll(6)) };
}
