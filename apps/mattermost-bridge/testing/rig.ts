import { join } from 'node:path';
import type { Channel, Post } from '@steward/mattermost-simulator/model.ts';
import { type MattermostSimulator, startMattermost } from '@steward/mattermost-simulator/simulator.ts';
import type { Row } from '../src/answers.ts';
import { deleteThreads, type Permit } from '../src/deletion.ts';
import { createMattermost, type Mattermost } from '../src/mattermost.client.ts';
import { type Scope, sweepChannel } from '../src/sweep.ts';

export const DAY_MS = 86_400_000;

/** Node keeps compiled code here, which halves the processor time of a start of the bridge. */
export const COMPILED = join(import.meta.dirname, '../../../node_modules/.cache/compiled');

export type Rig = Awaited<ReturnType<typeof rig>>;

/** A server that is set up for the bridge, with a team, two people and a channel, and the bridge's client. */
export async function rig() {
  const at = await startMattermost({ seed: 7 });
  const { bot, owner, token } = at.addAdminBot();
  at.set('ServiceSettings', 'EnableAPIPostDeletion', true);
  const longAgo = <T>(work: () => T): T => {
    at.advance(-365 * DAY_MS);
    try {
      return work();
    } finally {
      at.advance(365 * DAY_MS);
    }
  };
  const place = longAgo(() => createPlace(at));
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    at.advance(ms);
  };
  const mattermost = createMattermost({ url: at.url, token, pause });
  const scope: Scope = { teams: new Set([place.team.id]), directMessages: true };
  const permit = (channel = place.talk) => createPermit(mattermost, channel);
  return {
    at,
    mattermost,
    bot,
    owner,
    token,
    scope,
    ...place,
    /** Milliseconds that the bridge paused for the rate limit. */
    pauses,
    longAgo,
    /** Sweeps a channel and returns a permit for its threads that are wholly older than 30 days. */
    permit,
    /** An old message; its files are attached. */
    old: (more: Partial<Post> = {}) => longAgo(() => at.post(place.talk, place.ada, { message: 'old words', ...more })),
    deleteDue: async (channel?: Channel) => deleteThreads(mattermost, await permit(channel), scope),
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
}

function createPlace(at: MattermostSimulator) {
  const [ada, ben] = [at.addUser('ada'), at.addUser('ben')];
  const team = at.addTeam('orchard');
  const talk = at.addChannel(team, 'talk');
  return { ada, ben, team, talk };
}

async function createPermit(mattermost: Mattermost, channel: Channel): Promise<Permit> {
  await mattermost.call('ping');
  const sweptAt = mattermost.time();
  const cutoff = sweptAt - 30 * DAY_MS;
  const rows = (await Array.fromAsync(sweepChannel(mattermost, channel.id))).flat();
  const key = (row: Row) => row.root_id || row.original_id || row.id;
  const young = new Set(rows.filter((row) => row.create_at >= cutoff).map(key));
  const due = rows.filter((row) => !young.has(key(row)));
  return { channel: channel.id, rows: due, cutoff, sweptAt, quietMs: DAY_MS, isBegun: false };
}
