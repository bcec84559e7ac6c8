import { addReadyEntries } from '#features/directory/entries.store.ts';
import { type Database, inTransaction, type Trx } from '#platform/database.ts';
import { hashPassword } from '#platform/passwords.ts';
import { addAuditEvent } from '#workspace/audit.store.ts';
import { addMembership, addPerson, addReadyPeople, type ReadyPerson } from '#workspace/people.store.ts';
import { addTeam } from '#workspace/teams.store.ts';
import { byOperator } from './by-operator.ts';
import { isEmpty } from './demo.store.ts';
import { makeEntries } from './made-entries.ts';
import { makePeople } from './made-people.ts';
import { loadNames, type NamePool } from './names.ts';
import { newPassword } from './new-password.ts';

/** Who may sign in to a workspace that was made just now. */
export interface DemoOwner {
  email: string;
  password: string;
}

interface DemoTeam {
  display_name: string;
  time_zone: string;
  domain: string;
  people: number;
  /** Entries of the company directory; one team has none, so that an empty directory can be seen too. */
  entries: number;
  /** What the demo's owner is here. */
  roles: string[];
  /** People of the first team who belong to this one too. */
  guests: number;
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
    people: 2_000,
    entries: 600,
    roles: OWNER,
    guests: 0,
  }),
  team('Orchard Logistics', {
    time_zone: 'Europe/Lisbon',
    domain: 'orchard.example.net',
    people: 320,
    entries: 90,
    roles: OWNER,
    guests: 24,
  }),
  team('Seaside Health', {
    time_zone: 'America/Toronto',
    domain: 'seaside.example.org',
    people: 140,
    entries: 0,
    roles: ADMIN,
    guests: 0,
  }),
  team('Alpine Book Club', {
    time_zone: 'UTC',
    domain: 'alpine.example.org',
    people: 45,
    entries: 12,
    roles: MEMBER,
    guests: 9,
  }),
];

/**
 * Fills an empty database with teams to try the portal on, in one transaction: killed in the middle, the next start
 * makes all of it. Undefined where somebody has a team already. The password is nowhere else than in the answer.
 */
export async function createDemo(db: Database): Promise<DemoOwner | undefined> {
  if (!(await isEmpty(db))) return undefined;
  const password = newPassword();
  const [passwordHash, pools] = await Promise.all([hashPassword(password), loadNames()]);
  return inTransaction(db, async (trx) => {
    const names = { first_name: 'Demo', last_name: 'Owner' };
    const ownerId = await addPerson(trx, { email: OWNER_EMAIL, ...names, password_hash: passwordHash });
    // Another node was faster: the address can be taken once, and whoever comes second waits until it is.
    if (ownerId === undefined) return undefined;
    const guests: string[] = [];
    for (const wanted of TEAMS) {
      const people = await addDemoTeam(trx, { wanted, pools, ownerId, guests: guests.slice(0, wanted.guests) });
      if (guests.length === 0) guests.push(...people.filter(isOrdinary).map((person) => person.id));
    }
    return { email: OWNER_EMAIL, password };
  });
}

async function addDemoTeam(
  trx: Trx,
  { wanted, pools, ownerId, guests }: { wanted: DemoTeam; pools: NamePool[]; ownerId: string; guests: string[] },
): Promise<ReadyPerson[]> {
  const { domain, roles, display_name, time_zone } = wanted;
  const recipe = { pools, key: domain, seed: 1, domain };
  const teamId = await addTeam(trx, { display_name, time_zone });
  const made = makePeople(recipe, 0, wanted.people);
  // Every team has an owner, also where it is not the demo's.
  const ownerless = roles.includes('team_owner') ? undefined : made.find(isOrdinary);
  const people = made.map((person) => (person === ownerless ? { ...person, roles: OWNER } : person));
  await addReadyPeople(trx, teamId, people);
  await addMembership(trx, { teamId, personId: ownerId, roles });
  for (const personId of guests) await addMembership(trx, { teamId, personId, roles: MEMBER });
  await addReadyEntries(trx, teamId, makeEntries(recipe, 0, wanted.entries));
  const audit = { action: 'teams.created', teamId, actorId: null, target: ownerId, details: { demo: true } };
  await addAuditEvent(trx, audit, byOperator());
  return people;
}

function isOrdinary(person: ReadyPerson): boolean {
  return person.type === 2 && person.delete_at === 0 && person.roles.join() === MEMBER.join();
}
