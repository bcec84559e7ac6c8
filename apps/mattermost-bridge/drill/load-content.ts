// Fills a simulated server with many messages, and says which of them a rule of a year has to delete.
import type { Channel, Post, User } from '@steward/mattermost-simulator/model.ts';
import { DAY_MS, type Rig } from '../testing/rig.ts';

export interface LoadSize {
  messages: number;
  channels: number;
  /** Messages of the largest channel; the others share the rest. */
  largest: number;
}

export interface LoadContent {
  channels: Channel[];
  /** Ids of messages and earlier versions of the connected team. */
  due: ReadonlySet<string>;
  kept: ReadonlySet<string>;
  /** Messages of a team that isn't connected; they are as old as what is due. */
  strangers: Post[];
}

const PEOPLE = 50;
const [OLD_DAYS, YOUNG_DAYS, RULE_DAYS] = [400, 200, 365];
/** In percent: a fifth of the threads is old, and one in a hundred is old but for its last reply. */
const [OLD, MIXED] = [20, 21];

export function writeContent(rigged: Rig, size: LoadSize): LoadContent {
  const { at, team } = rigged;
  const people = Array.from({ length: PEOPLE }, (_, nth) => at.addUser(`person${nth}`));
  for (const person of people) at.addToTeam(team, person);
  const rest = Math.ceil((size.messages - size.largest) / (size.channels - 1));
  for (let nth = 0; nth < size.channels; nth += 1) {
    const isArchived = nth % 50 === 49;
    const more = { type: nth % 10 === 9 ? 'P' : 'O', delete_at: isArchived ? at.world.now() : 0 };
    const channel = at.addChannel(team, `channel${nth}`, more);
    writeChannel(at, { channel, people, rows: nth === 0 ? size.largest : rest });
  }
  const other = at.addChannel(at.addTeam('unconnected', people), 'unconnected');
  writeChannel(at, { channel: other, people, rows: 200 });
  const channels = [...at.world.channels.values()].filter(({ team_id }) => team_id === team.id);
  return { channels, ...split(at, channels), strangers: structuredClone([...at.world.posts.inChannel(other.id)]) };
}

interface Part {
  channel: Channel;
  people: readonly User[];
  rows: number;
}

/** Single messages, and threads with replies, versions, files and messages that are marked deleted. */
function writeChannel(at: Rig['at'], { channel, people, rows }: Part): void {
  const random = createRandom(Number.parseInt(channel.name.replace(/\D/g, '') || '0', 10) + 1);
  const { byId } = at.world.posts;
  const before = byId.size;
  const write = (more: Partial<Post> = {}) => at.post(channel, people[random(people.length)] as User, more);
  const writeThread = () => {
    const files = random(50) === 0 && people[0] ? [at.file(people[0], 'note.txt').id] : [];
    const root = write({ file_ids: files });
    const replies = random(10) < 6 ? 0 : random(6);
    for (let count = 0; count < replies; count += 1) {
      const reply = write({ root_id: root.id });
      if (random(12) === 0) at.edit(reply, 'a message that was edited');
      if (random(20) === 0) at.softDelete(reply);
    }
    if (random(15) === 0) at.pin(root);
    return root;
  };
  while (byId.size < before + rows) {
    const percent = random(100);
    // Several threads have the same date.
    const root = daysAgo(at, (percent < MIXED ? OLD_DAYS : YOUNG_DAYS) + random(90), writeThread);
    if (percent >= OLD && percent < MIXED) daysAgo(at, YOUNG_DAYS, () => write({ root_id: root.id }));
  }
}

function daysAgo<T>(at: Rig['at'], days: number, work: () => T): T {
  at.advance(-days * DAY_MS);
  const result = work();
  at.advance(days * DAY_MS);
  return result;
}

/** A thread is due if nothing of it is younger than the rule. */
function split(at: Rig['at'], channels: readonly Channel[]): Pick<LoadContent, 'due' | 'kept'> {
  const threadOf = ({ id, root_id, original_id }: Post) => root_id || original_id || id;
  const cutoff = at.world.now() - RULE_DAYS * DAY_MS;
  const [due, kept, young] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const rows = channels.flatMap(({ id }) => [...at.world.posts.inChannel(id)]);
  for (const row of rows) if (row.create_at >= cutoff) young.add(threadOf(row));
  for (const row of rows) (young.has(threadOf(row)) ? kept : due).add(row.id);
  return { due, kept };
}

/** Returns whole numbers from 0 to below `most`, the same for the same seed. */
function createRandom(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
}
