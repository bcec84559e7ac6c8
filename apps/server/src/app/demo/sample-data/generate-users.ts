import { PENDING_INVITEE, REAL_ACCOUNT, type Role } from '@steward/contract/users/roles';
import type { UserInsert } from '#workspace/users/users.store.ts';
import type { NamePool } from './name-pools.ts';
import { computeSeedDigest, createRandom, GENERATED_FROM, getIds } from './seeded-random.ts';

/** Everything that determines the generated people: the same recipe always gives the same ones, number by number. */
export interface Recipe {
  pools: readonly NamePool[];
  /** The team or workspace. */
  key: string;
  seed: number;
  /** Domain of the addresses; by default one that depends on key and seed. */
  domain?: string;
}

interface GeneratedName {
  local: string;
  first_name: string;
  last_name: string;
}

const DAY_MS = 86_400_000;
/** Accounts were created before this instant. */
const CREATED_UNTIL = Date.UTC(2026, 0, 1);

const APPS = ['chat', 'meetings', 'tasks', 'notes', 'voice', 'files', 'sms'];
/** The share of people who have the app, in 256ths. */
const APP_SHARES = [250, 220, 180, 160, 120, 210, 60];
const APP_TEXTS = Array.from({ length: 1 << APPS.length }, (_, mask) =>
  JSON.stringify(Object.fromEntries(APPS.map((app, bit) => [app, ((mask >> bit) & 1) === 1]))),
);

const STATUSES = ['online', 'online', 'online', 'away', 'away', 'dnd'] as const;
/** One in this many people of a pool has the name of the previous one. */
const NAMESAKE_EVERY = 40;

/** Generates people `from` to `from + count - 1` of the recipe. Number 0 is the team's Zendesk user. */
export function generateUsers(recipe: Recipe, from: number, count: number): UserInsert[] {
  const digest = computeSeedDigest(recipe.key, recipe.seed);
  const domain = getEmailDomain(recipe);
  const [getId, getName] = [getIds(digest), createNameGenerator(recipe)];
  return Array.from({ length: count }, (_, at) => {
    const number = from + at;
    const id = getId(number);
    if (number === 0) return zendeskUser(id, domain);
    const { local, first_name, last_name } = getName(number);
    return { id, email: `${local}@${domain}`, first_name, last_name, ...randomAccountState(number, digest) };
  });
}

export function getEmailDomain({ key, seed, domain }: Recipe): string {
  return domain ?? generateDomain(computeSeedDigest(key, seed));
}

/** Returns the names of a recipe's people by their number, with the local part of their addresses. */
export function createNameGenerator({ pools, key, seed }: Recipe): (number: number) => GeneratedName {
  const shift = computeSeedDigest(key, seed).readUInt32BE(0);
  const order = pools.flatMap((pool) => Array.from({ length: pool.share }, (_, rank) => ({ pool, rank })));
  return (number) => {
    const slot = order[number % order.length];
    if (!slot) throw new Error('there are no names to choose from');
    return named(slot.pool, Math.floor(number / order.length) * slot.pool.share + slot.rank, shift);
  };
}

function generateDomain(digest: Buffer): string {
  const end = ['com', 'org', 'net'][(digest[31] ?? 0) % 3];
  return `team-${digest.toString('hex').slice(16, 26)}.example.${end}`;
}

function zendeskUser(id: string, domain: string): UserInsert {
  const names = { email: `zendesk@${domain}`, first_name: 'Zendesk', last_name: 'Support' };
  const rest = { type: REAL_ACCOUNT, apps: '{}', create_at: GENERATED_FROM, delete_at: 0, presence: null };
  return { id, ...names, ...rest, roles: ['zendesk'] satisfies Role[] };
}

/** Uses all pairs of the pool in a scattered order before any pair comes twice. */
function named(pool: NamePool, nth: number, shift: number): GeneratedName {
  const pairs = pool.firsts.length * pool.lasts.length;
  const isNamesake = nth % NAMESAKE_EVERY === NAMESAKE_EVERY - 1;
  const step = findCoprimeNear(Math.floor(pairs * 0.618), pairs);
  const place = Number((BigInt(isNamesake ? nth - 1 : nth) * BigInt(step) + BigInt(shift)) % BigInt(pairs));
  const first = pool.firsts[place % pool.firsts.length];
  const last = pool.lasts[Math.floor(place / pool.firsts.length)];
  const same = Math.floor(nth / pairs) * 2 + (isNamesake ? 2 : 1);
  return {
    local: `${first?.slug}.${last?.slug}${same === 1 ? '' : same}`,
    first_name: first?.text ?? '',
    last_name: last?.text ?? '',
  };
}

function randomAccountState(number: number, digest: Buffer) {
  const roll = createRandom(digest, number);
  const per1000 = roll(0) % 1000;
  const isAdmin = per1000 < 15;
  const isPending = per1000 >= 15 && per1000 < 55;
  const isDeactivated = per1000 >= 55 && per1000 < 85;
  const create_at = GENERATED_FROM + Math.floor((roll(1) / 2 ** 32) * (CREATED_UNTIL - GENERATED_FROM));
  const mask = APP_SHARES.reduce((sum, share, bit) => sum | (roll(8 + bit) % 256 < share ? 1 << bit : 0), 0);
  const isSeen = !isPending && !isDeactivated && roll(2) % 100 < 18;
  return {
    ...(isPending && roll(3) % 3 === 0 ? { first_name: '', last_name: '' } : {}),
    type: isPending ? PENDING_INVITEE : REAL_ACCOUNT,
    apps: APP_TEXTS[mask] ?? '{}',
    create_at,
    delete_at: isDeactivated ? create_at + (1 + (roll(4) % 300)) * DAY_MS : 0,
    roles: (isAdmin ? ['team_user', 'team_admin'] : ['team_user']) satisfies Role[],
    presence: isSeen ? (STATUSES[roll(5) % STATUSES.length] ?? null) : null,
  };
}

function findCoprimeNear(start: number, to: number): number {
  const gcd = (a: number, b: number): number => (b === 0 ? a : gcd(b, a % b));
  let step = Math.max(1, start);
  while (gcd(step, to) !== 1) step += 1;
  return step;
}
