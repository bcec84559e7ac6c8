import { bulkInsertEntries } from '#features/directory/entries.store.ts';
import type { Blobs } from '#platform/blobs/blobs.ts';
import { type Database, inTransaction, type Trx } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Deps } from '#platform/deps.ts';
import { hashPassword, newPassword } from '#platform/security/passwords.ts';
import { type AuditEvent, addAuditEvent } from '#workspace/audit/audit.store.ts';
import { operatorOrigin } from '#workspace/audit/operator-origin.ts';
import { addUsersToTeam } from '#workspace/users/add-members.actions.ts';
import { addMembership } from '#workspace/users/memberships.store.ts';
import { addTeam, hasAnyTeam } from '#workspace/users/teams.store.ts';
import { addUser, type UserInsert } from '#workspace/users/users.store.ts';
import { lockDemo } from './demo.store.ts';
import {
  addDemoContent,
  addDemoRules,
  type ContentCounts,
  type DemoContent,
  prepareContent,
} from './demo-content.actions.ts';
import { generateEntries } from './sample-data/generate-entries.ts';
import { generateUsers } from './sample-data/generate-users.ts';
import { loadNames, type NamePool } from './sample-data/name-pools.ts';

/** The only account of a new demo workspace with a password. */
export interface DemoOwner {
  email: string;
  password: string;
}

interface DemoTeam {
  display_name: string;
  time_zone: string;
  domain: string;
  users: number;
  /** Entries of the company directory; one team has none, so that an empty directory can be seen too. */
  entries: number;
  /** Roles of the demo's owner in this team. */
  roles: string[];
  /** People of the first team who belong to this one too. */
  guests: number;
  /** Without it, the team has only an empty general channel. */
  content?: ContentCounts;
}

/** A generated team that is not in the database yet. */
interface PreparedTeam {
  id: string;
  wanted: DemoTeam;
  recipe: { pools: NamePool[]; key: string; seed: number; domain: string };
  users: UserInsert[];
  content: DemoContent | undefined;
}

const OWNER_EMAIL = 'owner@steward.example';
const OWNER = ['team_user', 'team_admin', 'team_owner'];
const ADMIN = ['team_user', 'team_admin'];
const MEMBER = ['team_user'];

const team = (display_name: string, rest: Omit<DemoTeam, 'display_name'>): DemoTeam => ({ display_name, ...rest });
const TEAMS = [
  team('Northwind Studio', {
    time_zone: 'Europe/Berlin',
    domain: 'northwind.example.com',
    users: 2_000,
    entries: 600,
    roles: OWNER,
    guests: 0,
    content: { channels: 12, defaults: 3, archivedDefaults: 1, messages: 4_000, files: 300, records: 600 },
  }),
  team('Orchard Logistics', {
    time_zone: 'Europe/Lisbon',
    domain: 'orchard.example.net',
    users: 320,
    entries: 90,
    roles: OWNER,
    guests: 24,
    content: { channels: 4, defaults: 1, archivedDefaults: 0, messages: 400, files: 30, records: 60 },
  }),
  team('Seaside Health', {
    time_zone: 'America/Toronto',
    domain: 'seaside.example.org',
    users: 140,
    entries: 0,
    roles: ADMIN,
    guests: 0,
  }),
  team('Alpine Book Club', {
    time_zone: 'UTC',
    domain: 'alpine.example.org',
    users: 45,
    entries: 12,
    roles: MEMBER,
    guests: 9,
  }),
];

/** Number of authors of the content. */
const WRITERS = 200;

/**
 * Fills an empty database with teams for trying the portal, in one transaction. After a kill the next start creates all of
 * it, and the cleanup deletes texts of files that were stored before. Returns undefined if there is a team already. The
 * password is returned and not stored.
 */
export async function createDemo(deps: Pick<Deps, 'db' | 'blobs' | 'secrets'>): Promise<DemoOwner | undefined> {
  const { db } = deps;
  if (await hasAnyTeam(db)) return undefined;
  const password = newPassword();
  const [passwordHash, pools] = await Promise.all([hashPassword(password), loadNames()]);
  const teams: PreparedTeam[] = [];
  for (const wanted of TEAMS) teams.push(await prepareTeam(deps, wanted, pools));
  return inTransaction(db, async (trx) => {
    if (!(await lockDemo(trx))) return undefined;
    const names = { first_name: 'Demo', last_name: 'Owner' };
    const ownerId = await addUser(trx, { email: OWNER_EMAIL, ...names, password_hash: passwordHash });
    // Another node has committed the demo workspace since we looked for teams.
    if (ownerId === undefined) return undefined;
    const guests: string[] = [];
    for (const ready of teams) {
      await addDemoTeam(trx, ready, { deps, ownerId, guests: guests.slice(0, ready.wanted.guests) });
      if (guests.length === 0) guests.push(...ready.users.filter(isOrdinary).map((user) => user.id));
    }
    return { email: OWNER_EMAIL, password };
  });
}

async function prepareTeam(
  place: { db: Database; blobs: Blobs },
  wanted: DemoTeam,
  pools: NamePool[],
): Promise<PreparedTeam> {
  const { domain, roles } = wanted;
  const recipe = { pools, key: domain, seed: 1, domain };
  const generated = generateUsers(recipe, 0, wanted.users);
  // Every team needs an owner, even if the demo's owner has a lower role in it.
  const ownerless = roles.includes('team_owner') ? undefined : generated.find(isOrdinary);
  const users = generated.map((user) => (user === ownerless ? { ...user, roles: OWNER } : user));
  const id = newId();
  const writers = users.filter(isOrdinary).slice(0, WRITERS);
  const content = wanted.content && {
    id,
    recipe: { key: domain, seed: 1, until: Date.now() },
    counts: wanted.content,
    users: writers.map((user) => user.id),
  };
  return { id, wanted, recipe, users, content: content && (await prepareContent(place, content)) };
}

async function addDemoTeam(
  trx: Trx,
  { id, wanted, recipe, users, content }: PreparedTeam,
  { deps, ownerId, guests }: { deps: Pick<Deps, 'secrets'>; ownerId: string; guests: string[] },
): Promise<void> {
  const { display_name, time_zone, roles } = wanted;
  const teamId = await addTeam(trx, { id, display_name, time_zone });
  await addUsersToTeam(trx, teamId, users);
  await addMembership(trx, { teamId, userId: ownerId, roles });
  for (const userId of guests) await addMembership(trx, { teamId, userId, roles: MEMBER });
  await bulkInsertEntries(trx, teamId, generateEntries(recipe, 0, wanted.entries));
  if (content) {
    await addDemoContent(trx, { teamId, ownerId }, content);
    await addDemoRules(trx, { teamId, ownerId, timeZone: time_zone });
  }
  const audit: AuditEvent = {
    action: 'teams.created',
    teamId,
    actorId: null,
    target: ownerId,
    details: { demo: true },
  };
  await addAuditEvent(trx, deps, { ...audit, origin: operatorOrigin() });
}

function isOrdinary(user: UserInsert): boolean {
  return user.type === 2 && user.delete_at === 0 && user.roles.join() === MEMBER.join();
}
