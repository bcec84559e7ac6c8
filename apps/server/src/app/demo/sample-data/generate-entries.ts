import type { EntryInsert } from '#features/directory/entries.store.ts';
import { createNameGenerator, getEmailDomain, type Recipe } from './generate-users.ts';
import { DESKS, MAKERS, PLACES, TRADES, WHERES } from './sample-texts.ts';
import { computeSeedDigest, createRandom, getIds, type Roll } from './seeded-random.ts';

type Kind = 'member' | 'outsider' | 'place' | 'company';

/**
 * Kinds of entries in a rotation of 21. Names rotate by twenty, so a rotation of that length would give each kind the same
 * names.
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

/** Generates directory entries `from` to `from + count - 1` of the recipe. Some belong to its generated people. */
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
  // Neighbors differ in both words, and every pair comes once before any comes twice.
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

function randomPhoneNumbers(roll: Roll): { phone_number: string; sms: string } {
  if (roll(2) % 100 < 6) return { phone_number: '', sms: '' };
  const phone_number = randomPhoneNumber(roll(3));
  if (roll(4) % 100 < 47) return { phone_number, sms: '' };
  return { phone_number, sms: roll(5) % 3 === 0 ? phone_number : randomPhoneNumber(roll(6)) };
}

type Spell = (roll: number) => string;

const digits = (number: number, width: number) => String(number).padStart(width, '0');

/** In each American area, 555-0100 to 555-0199 are reserved for fiction. */
const american = (spell: (area: string, line: string) => string): Spell => {
  return (roll) => spell(String(201 + (roll % 789)), digits(100 + ((roll >>> 12) % 100), 4));
};

/** Area and first digits of the numbers that Germany's regulator reserves for fiction; British ones start with 20 7946. */
const GERMAN = ['30 23125', '69 90009', '40 66969', '221 4710', '89 99998'] as const;
const german = (prefix: string): Spell => {
  return (roll) => `${prefix}${GERMAN[roll % GERMAN.length]}${digits((roll >>> 12) % 1000, 3)}`;
};
const british = (prefix: string): Spell => {
  return (roll) => `${prefix}20 7946 ${digits(roll % 1000, 4)}`;
};

/** Ten digits alone are the most common, because the portal formats those itself. */
const SPELLINGS: readonly Spell[] = [
  american((area, line) => `${area}555${line}`),
  american((area, line) => `${area}555${line}`),
  american((area, line) => `${area}555${line}`),
  american((area, line) => `(${area}) 555-${line}`),
  american((area, line) => `(${area}) 555-${line}, ext. ${line.slice(2)}`),
  american((area, line) => `+1 ${area} 555 ${line}`),
  american((area, line) => `${area}-555-${line}`),
  german('+49 '),
  german('0'),
  british('+44 '),
  british('0'),
];

function randomPhoneNumber(roll: number): string {
  // The bits that choose the spelling must not choose the number too.
  return SPELLINGS[Math.floor(roll / 2 ** 28) % SPELLINGS.length]?.(roll % 2 ** 28) ?? '';
}
