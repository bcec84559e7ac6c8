import { type Database, inTransaction, type Trx } from '#platform/database.ts';
import { addAuditEvent } from '#workspace/audit.store.ts';
import { addReadyPeople } from '#workspace/people.store.ts';
import { byOperator } from './by-operator.ts';
import { bringIndexesBack, expectMany, hasOtherZendesk, isAlone, setIndexesAside, settle } from './fill.store.ts';
import { makePeople, type Recipe } from './made-people.ts';

const CHUNK = 50_000;
/** From here on making the indexes anew is quicker than entering people in them. */
const ANEW_FROM = 100_000;

interface Filling {
  recipe: Recipe;
  users: number;
  progress(done: number): void;
  /** Whether to make the indexes anew, where that is not left to the number of people. */
  anew?: boolean;
}

/**
 * Adds the people number 0 to `users - 1` of the recipe and answers how many came; repeated, it adds nobody twice. Beside
 * a server each chunk is a transaction of its own, and the server goes on; alone, all of it is one, and much quicker.
 */
export async function fillTeam(db: Database, filling: Filling): Promise<number> {
  const anew = filling.anew ?? (filling.users >= ANEW_FROM && (await isAlone(db)));
  const added = anew ? await inTransaction(db, (trx) => addAllAnew(trx, filling)) : await addByChunks(db, filling);
  if (added > 0) await settle(db);
  return added;
}

async function addByChunks(db: Database, filling: Filling): Promise<number> {
  let added = 0;
  for (let from = 0; from < filling.users; from += CHUNK) {
    added += await inTransaction(db, async (trx) => {
      await expectMany(trx);
      return addChunk(trx, filling, from);
    });
  }
  return added;
}

async function addAllAnew(trx: Trx, filling: Filling): Promise<number> {
  let added = 0;
  await expectMany(trx);
  const indexes = await setIndexesAside(trx);
  for (let from = 0; from < filling.users; from += CHUNK) added += await addChunk(trx, filling, from);
  await bringIndexesBack(trx, indexes);
  return added;
}

async function addChunk(trx: Trx, { recipe, users, progress }: Filling, from: number): Promise<number> {
  const teamId = recipe.key;
  const people = makePeople(recipe, from, Math.min(CHUNK, users - from));
  const first = people[0];
  // A team has one Zendesk person, whatever it was filled with before.
  const isExtra = from === 0 && first !== undefined && (await hasOtherZendesk(trx, teamId, first.id));
  const added = await addReadyPeople(trx, teamId, isExtra ? people.slice(1) : people);
  if (added > 0) {
    const details = { seed: recipe.seed, people: added };
    const event = { action: 'teams.filled', teamId, actorId: null, target: teamId, details };
    await addAuditEvent(trx, event, byOperator());
  }
  progress(from + people.length);
  return added;
}
