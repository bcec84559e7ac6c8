import { FILES_WITH_TEXT } from '@steward/server/src/app/demo/sample-data/generate-content.ts';
import { loadNames } from '@steward/server/src/app/demo/sample-data/name-pools.ts';
import { type Command, type Given, Mistake, type Outcome } from '../command.ts';
import type { Workspace } from '../open-workspace.ts';
import { read, typed } from '../option-schemas.ts';
import {
  fillChannels,
  fillEntries,
  fillFiles,
  fillMessages,
  fillRecords,
  fillUsers,
  loadStage,
} from './fill.actions.ts';
import { isTeam } from './fill.store.ts';

const ROWS_MAX = 10_000_000;
const CHANNELS_MAX = 10_000;
const SEED_MAX = 999_999_999;

/** The order of filling: each kind may refer to the previous ones. */
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

/** Generates users, directory entries and content for trials and benchmarks. */
export const fill: Command = {
  summary: 'Add generated people, directory entries and content to a team',
  notes: [
    'The same team and seed always generate the same data: repeating a command adds nothing, and a larger number adds only\n' +
      'the rest. Email addresses end in example.com, example.org or example.net, phone numbers are reserved for fiction, and\n' +
      'nobody can sign in as a generated person.',
    'People are added first, so that entries can be linked to them and channels have members. Messages and files are added\n' +
      'to the channels of this command, or without --channels to all channels of the team; --json lists them. Messages, files\n' +
      'and records (notes, tasks, meetings, calls, recordings, voicemails, communications) date from the three years before\n' +
      `--until. The first ${FILES_WITH_TEXT} files can be downloaded; the others have a size but no content.`,
  ],
  options: {
    team: { value: 'id', help: 'Team to fill', required: true },
    users: { value: 'n', help: `Number of people, up to ${ROWS_MAX}` },
    entries: { value: 'n', help: `Number of directory entries, up to ${ROWS_MAX}` },
    channels: { value: 'n', help: `Number of channels (public, private and direct), up to ${CHANNELS_MAX}` },
    messages: { value: 'n', help: `Number of messages, up to ${ROWS_MAX}` },
    files: { value: 'n', help: `Number of files, up to ${ROWS_MAX}` },
    records: { value: 'n', help: `Number of records of all kinds, up to ${ROWS_MAX}` },
    until: { value: 'day', help: 'Content dates from before this day, in UTC (default today)' },
    seed: { value: 's', help: 'Random seed (default 1)' },
  },
  prepare: (given) => {
    const wanted = parseFillInput(given);
    return (workspace, say) => fillTeam(workspace, wanted, say);
  },
};

function parseFillInput(given: Given): Wanted {
  const teamId = read(typed.teamId, 'team', given.team);
  if (ALL.every((kind) => given[kind] === undefined))
    throw new Mistake(`Missing option: one of ${ALL.map((kind) => `--${kind}`).join(', ')}.`);
  const counts = Object.fromEntries(
    ALL.map((kind) => [kind, read(typed.count(KINDS[kind][0]), kind, given[kind] ?? '0')]),
  ) as Record<Kind, number>;
  const today = new Date().toISOString().slice(0, 10);
  const until = read(typed.day, 'until', given.until ?? today);
  return { teamId, counts, until, seed: read(typed.count(SEED_MAX), 'seed', given.seed ?? '1') };
}

async function fillTeam(workspace: Workspace, wanted: Wanted, say: (line: string) => void): Promise<Outcome> {
  const { teamId, seed, until, counts } = wanted;
  const { db } = workspace;
  if (!(await isTeam(db, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
  const of = (kind: Kind) => ({
    count: counts[kind],
    progress: (done: number) => say(`${done} of ${counts[kind]} ${KINDS[kind][1]}`),
  });
  const named = { pools: await loadNames(), key: teamId, seed };
  const users = await fillUsers(workspace, { recipe: named, ...of('users') });
  const entries = await fillEntries(workspace, { recipe: named, ...of('entries') });
  const recipe = { key: teamId, seed, until };
  const channels = await fillChannels(workspace, recipe, counts.channels);
  const stage = await loadStage(db, teamId, counts.channels > 0 ? channels.ids : undefined);
  const added: Record<Kind, number> = {
    users,
    entries,
    channels: channels.added,
    messages: await fillMessages(workspace, { recipe, stage, ...of('messages') }),
    files: await fillFiles(workspace, { recipe, stage, ...of('files') }),
    records: await fillRecords(workspace, { recipe, stage, ...of('records') }),
  };
  return {
    result: { team_id: teamId, seed, ...counts, channels: stage.channels.map(({ id, type }) => ({ id, type })), added },
    lines: ALL.filter((kind) => counts[kind] > 0).map((kind) => `${added[kind]} ${KINDS[kind][1]} added.`),
  };
}
