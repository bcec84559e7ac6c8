import { type Command, type Given, Mistake, type Outcome } from '../command.ts';
import type { Workspace } from '../open-workspace.ts';
import { read, typed } from '../option-schemas.ts';
import { FILES_WITH_TEXT } from '../sample-data/generate-files.ts';
import { loadNames } from '../sample-data/name-pools.ts';
import { fillEntries, fillPeople } from './fill.actions.ts';
import { isTeam } from './fill.store.ts';
import { fillChannels, fillFiles, fillMessages, fillRecords, loadStage } from './fill-content.actions.ts';

const ROWS_MAX = 10_000_000;
const CHANNELS_MAX = 10_000;
const SEED_MAX = 999_999_999;

/** What can be filled, in the order in which it is: each may refer to what came before. Most of it → what it is called. */
const KINDS = {
  users: [ROWS_MAX, 'people'],
  entries: [ROWS_MAX, 'directory entries'],
  channels: [CHANNELS_MAX, 'channels'],
  messages: [ROWS_MAX, 'messages'],
  files: [ROWS_MAX, 'files'],
  records: [ROWS_MAX, 'records'],
} as const;
type Kind = keyof typeof KINDS;
const ALL = Object.keys(KINDS) as Kind[];

interface Wanted {
  teamId: string;
  seed: number;
  until: number;
  counts: Record<Kind, number>;
}

/** Makes people, directory entries and content up for trying and measuring. */
export const fill: Command = {
  summary: 'Add made-up people, directory entries and content to a team',
  notes: [
    'The same team and seed always give the same ids, people and entries: with the same number nothing is added a second\n' +
      'time, a larger number adds the rest. Addresses end in example.com, example.org or example.net, telephone numbers\n' +
      'are of those kept for fiction, and nobody can sign in as one of the people.',
    'People come first, so that entries are linked to those with the same address, and channels have members. Messages and\n' +
      'files go into the channels that --channels names, or else into all that the team has; --json lists them. They and\n' +
      'the records (notes, tasks, meetings, calls, recordings, voicemails, communications) lie in the three years before\n' +
      `--until. The first ${FILES_WITH_TEXT} files can be downloaded; of the others only the size is known.`,
  ],
  options: {
    team: { value: 'id', help: 'Team to fill', required: true },
    users: { value: 'n', help: `How many people, up to ${ROWS_MAX}` },
    entries: { value: 'n', help: `How many entries of the company directory, up to ${ROWS_MAX}` },
    channels: { value: 'n', help: `How many channels, public, private and direct, up to ${CHANNELS_MAX}` },
    messages: { value: 'n', help: `How many messages, up to ${ROWS_MAX}` },
    files: { value: 'n', help: `How many files, up to ${ROWS_MAX}` },
    records: { value: 'n', help: `How many records of all kinds, up to ${ROWS_MAX}` },
    until: { value: 'day', help: 'Day, in UTC, before which content lies (default today)' },
    seed: { value: 's', help: 'Another number makes others (default 1)' },
  },
  prepare: (given) => {
    const wanted = parseFillInput(given);
    return (workspace, say) => fillTeam(workspace, wanted, say);
  },
};

function parseFillInput(given: Given): Wanted {
  const teamId = read(typed.teamId, 'team', given.team);
  if (ALL.every((kind) => given[kind] === undefined))
    throw new Mistake(`${ALL.map((kind) => `--${kind}`).join(' or ')} is missing.`);
  const counts = Object.fromEntries(
    ALL.map((kind) => [kind, read(typed.count(KINDS[kind][0]), kind, given[kind] ?? '0')]),
  ) as Record<Kind, number>;
  const today = new Date().toISOString().slice(0, 10);
  const until = read(typed.day, 'until', given.until ?? today);
  return { teamId, counts, until, seed: read(typed.count(SEED_MAX), 'seed', given.seed ?? '1') };
}

async function fillTeam({ db, blobs }: Workspace, wanted: Wanted, say: (line: string) => void): Promise<Outcome> {
  const { teamId, seed, until, counts } = wanted;
  if (!(await isTeam(db, teamId))) throw new Mistake(`There is no team ${teamId}.`);
  const of = (kind: Kind) => ({
    count: counts[kind],
    progress: (done: number) => say(`${done} of ${counts[kind]} ${KINDS[kind][1]}`),
  });
  const named = { pools: await loadNames(), key: teamId, seed };
  const users = await fillPeople(db, { recipe: named, ...of('users') });
  const entries = await fillEntries(db, { recipe: named, ...of('entries') });
  const recipe = { key: teamId, seed, until };
  const channels = await fillChannels(db, recipe, counts.channels);
  const stage = await loadStage(db, teamId, counts.channels > 0 ? channels.ids : undefined);
  const added: Record<Kind, number> = {
    users,
    entries,
    channels: channels.added,
    messages: await fillMessages(db, { recipe, stage, ...of('messages') }),
    files: await fillFiles({ db, blobs }, { recipe, stage, ...of('files') }),
    records: await fillRecords(db, { recipe, stage, ...of('records') }),
  };
  return {
    result: { team_id: teamId, seed, ...counts, channels: stage.channels.map(({ id, type }) => ({ id, type })), added },
    lines: ALL.filter((kind) => counts[kind] > 0).map((kind) => `${added[kind]} ${KINDS[kind][1]} were added.`),
  };
}
