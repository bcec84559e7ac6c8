// Deletes messages of its own in a team of its own, the way orders do, and compares. Nothing is deleted before this has passed.
import { type Channel, type Person, REHEARSED, type Row, type Team } from './answers.ts';
import { type CheckOptions, checkSetup } from './check.ts';
import { deleteThreads, PERMIT_ROWS, type Permit, type Report, readRows } from './deletion.ts';
import { CallError, type Mattermost } from './mattermost.client.ts';
import { listAll, sweepChannel } from './sweep.ts';

export interface Step {
  name: string;
  passed: boolean;
  detail: string;
}

export interface Rehearsal {
  passed: boolean;
  steps: Step[];
  version: string;
  /** The team, so that the next rehearsal uses the same. */
  team: string | undefined;
  calls: number;
  ms: number;
}

const TEAM_NAME = 'retention-rehearsal';
const CHANNEL_NAME = 'rehearsal';
const AGE_MS = 400 * 86_400_000;

interface Stage {
  mattermost: Mattermost;
  me: Person;
  team: Team;
  channel: Channel;
  direct: Channel;
}

/** What was written: the old rows go, the young one stays until everything is compared. */
interface Script {
  old: string[];
  young: string;
  /** False if the young message is older than the answer before it. What changes during a deletion would then be missed. */
  clocksAgree: boolean;
}

/** A rehearsal that can't go on. Its message is the reason, as a sentence. */
class Refused extends Error {}

/** Rehearses. `knownTeam` is the id of the team of an earlier one; another team with its name is then refused. */
export async function rehearse(
  mattermost: Mattermost,
  knownTeam?: string,
  options: CheckOptions = {},
): Promise<Rehearsal> {
  const began = performance.now();
  const before = mattermost.count();
  const setup = await checkSetup(mattermost, options);
  const steps: Step[] = [{ name: 'Set-up', passed: setup.problems.length === 0, detail: setup.problems.join(' ') }];
  let team: string | undefined;
  if (setup.me && setup.problems.length === 0) {
    try {
      const stage = await openStage(mattermost, setup.me, knownTeam);
      team = stage.team.id;
      steps.push(...(await play(stage)));
    } catch (error) {
      if (!(error instanceof Refused || error instanceof CallError)) throw error;
      steps.push({ name: 'Rehearsal', passed: false, detail: error.message });
    }
  }
  const ms = Math.round(performance.now() - began);
  const passed = steps.every((step) => step.passed);
  return { passed, steps, version: setup.version, team, calls: mattermost.count() - before, ms };
}

/** Restores or creates the team, which has no other member and no messages of others. */
async function openStage(mattermost: Mattermost, me: Person, knownTeam: string | undefined): Promise<Stage> {
  const teams = await listAll(mattermost, 'listTeams');
  const found = teams.find((each) => (knownTeam ? each.id === knownTeam : each.name === TEAM_NAME));
  if (!found && teams.some((each) => each.name === TEAM_NAME)) {
    throw new Refused(`There is a team ${TEAM_NAME} that is not the one of earlier rehearsals.`);
  }
  if (found) {
    const members = await listAll(mattermost, 'listTeamMembers', { team: found.id });
    if (members.length !== 1 || members[0]?.user_id !== me.id) {
      throw new Refused(`${me.username} must be the only member of the team ${found.name}, which is for rehearsals.`);
    }
  }
  const team = found ? await reopen(mattermost, found) : await createTeam(mattermost);
  const channels = await listAll(mattermost, 'listPrivateChannels', { team: team.id });
  const known = channels.find((each) => each.name === CHANNEL_NAME);
  const named = { team_id: team.id, name: CHANNEL_NAME, display_name: 'Rehearsal', type: 'P' };
  const channel = known ?? (await mattermost.call('createChannel', { body: named }));
  const direct = await mattermost.call('openDirect', { body: [me.id, me.id] });
  const stage = { mattermost, me, team, channel, direct };
  await clear(stage);
  return stage;
}

const reopen = async (mattermost: Mattermost, team: Team) =>
  team.delete_at > 0 ? mattermost.call('restoreTeam', { ids: { team: team.id } }) : team;

const createTeam = (mattermost: Mattermost) =>
  mattermost.call('createTeam', { body: { name: TEAM_NAME, display_name: 'Retention rehearsal', type: 'I' } });

/** Lists the messages of the stage, without the system's. */
async function listStage({ mattermost, channel, direct }: Stage): Promise<Row[]> {
  const found: Row[] = [];
  for (const { id } of [channel, direct]) {
    for await (const rows of sweepChannel(mattermost, id)) found.push(...rows.filter((row) => row.type === ''));
  }
  return found;
}

const isOwn = ({ me }: Stage, row: Row) => row.isRehearsed && row.user_id === me.id;

/** Deletes what an interrupted rehearsal left. Other messages end this one. */
async function clear(stage: Stage): Promise<void> {
  const rows = await listStage(stage);
  if (!rows.every((row) => isOwn(stage, row))) {
    const places = `The team ${stage.team.name} or the direct channel of ${stage.me.username} with itself`;
    throw new Refused(`${places} has messages that no rehearsal wrote.`);
  }
  if (rows.length > PERMIT_ROWS)
    throw new Refused(`Earlier rehearsals left ${rows.length} messages, which is too many.`);
  await deleteStage(stage, rows);
}

async function play(stage: Stage): Promise<Step[]> {
  const { mattermost, team } = stage;
  const script = await write(stage);
  const rows = await listStage(stage);
  const due = rows.filter((row) => row.id !== script.young);
  const files = [...new Set(due.flatMap((row) => row.file_ids))];
  const reports = await deleteStage(stage, due);
  const steps = await compare(stage, { script, due, files, reports });
  const left = (await listStage(stage)).filter((row) => row.id !== script.young);
  steps.push(step('Nothing else is left', left.length === 0, `${left.length} rows`));
  await deleteStage(stage, [...left, ...rows.filter((row) => row.id === script.young)]);
  const last = await listStage(stage);
  steps.push(step('The team is empty again and archived', last.length === 0, `${last.length} rows`));
  await mattermost.call('archiveTeam', { ids: { team: team.id } });
  return steps;
}

const step = (name: string, passed: boolean, detail = ''): Step => ({ name, passed, detail });

/** Writes one of each kind of message that has traps. All but one are dated back. */
async function write({ mattermost, me, channel, direct }: Stage): Promise<Script> {
  const create_at = mattermost.time() - AGE_MS;
  const props = { [REHEARSED]: 'true' };
  const post = async (message: string, more: object = {}) => {
    const body = { channel_id: channel.id, message, create_at, props, ...more };
    return (await mattermost.call('createPost', { body })).id;
  };
  const edit = (id: string, body: object) => mattermost.call('changePost', { ids: { post: id }, body });
  const plain = await post('A plain message');
  const root = await post('A thread', { file_ids: [await upload(mattermost, channel)] });
  const reply = await post('A reply', { root_id: root, file_ids: [await upload(mattermost, channel)] });
  await edit(reply, { message: 'A reply, edited' });
  const edited = await post('An edited message');
  await edit(edited, { message: 'An edited message, once' });
  await edit(edited, { message: 'An edited message, twice' });
  const pinned = await post('A pinned message');
  await mattermost.call('pinPost', { ids: { post: pinned } });
  await mattermost.call('react', { body: { user_id: me.id, post_id: pinned, emoji_name: 'smile' } });
  const detached = await post('A message that lost its file', { file_ids: [await upload(mattermost, channel)] });
  await edit(detached, { file_ids: [] });
  const deleted = await post('A deleted message');
  await mattermost.call('softDelete', { ids: { post: deleted } });
  const own = await post('A direct message', { channel_id: direct.id });
  const before = mattermost.time();
  const body = { channel_id: channel.id, message: 'A young message', props };
  const young = await mattermost.call('createPost', { body });
  const old = [plain, root, reply, edited, pinned, detached, deleted, own];
  return { old, young: young.id, clocksAgree: young.create_at >= before };
}

async function upload(mattermost: Mattermost, channel: Channel): Promise<string | undefined> {
  const form = new FormData();
  form.set('channel_id', channel.id);
  form.append('files', new Blob(['A file of a rehearsal']), 'rehearsal.txt');
  return (await mattermost.call('upload', { body: form })).file_infos[0]?.id;
}

/** Deletes rows of the stage as an order does, except that they may be new. What no rehearsal wrote stays. */
async function deleteStage(stage: Stage, rows: readonly Row[]): Promise<Report[]> {
  const { mattermost, team, channel, direct } = stage;
  const reports: Report[] = [];
  for (const { id } of [channel, direct]) {
    const own = rows.filter((row) => row.channel_id === id && isOwn(stage, row));
    if (own.length === 0) continue;
    const times = { cutoff: mattermost.time() + AGE_MS, sweptAt: mattermost.time(), quietMs: 0 };
    const permit: Permit = { channel: id, rows: own, ...times, isBegun: true };
    // Only the own direct channel is in scope besides the team, because no other one is ever named here.
    reports.push(await deleteThreads(mattermost, permit, { teams: new Set([team.id]), directMessages: true }));
  }
  return reports;
}

interface Played {
  script: Script;
  due: readonly Row[];
  files: readonly string[];
  reports: readonly Report[];
}

async function compare({ mattermost }: Stage, { script, due, files, reports }: Played): Promise<Step[]> {
  const outcomes = reports.flatMap((report) => [...report.outcomes]);
  const gone = outcomes.filter(([, outcome]) => outcome === 'gone').length;
  const versions = due.filter((row) => row.original_id !== '').length;
  const present = await readRows(mattermost, [...script.old, ...due.map((row) => row.id)]);
  const reachable = [];
  for (const file of files) if (await mattermost.find('readFile', { ids: { file } })) reachable.push(file);
  const young = await mattermost.find('readRow', { ids: { post: script.young } });
  const isFound = script.old.every((id) => due.some((row) => row.id === id));
  return [
    step('The clocks agree', script.clocksAgree),
    step(
      'Every message and earlier version is listed',
      isFound && versions === VERSIONS,
      `${due.length} rows, ${versions} versions`,
    ),
    step('Every row is gone', present.size === 0 && gone === outcomes.length, `${gone} of ${outcomes.length}`),
    step('No file can be reached', reachable.length === 0, `${files.length - reachable.length} of ${files.length}`),
    step('The young message survives', young !== undefined && young.delete_at === 0),
  ];
}

/** A reply edited once, a message edited twice, a pin, and the removal of a file. */
const VERSIONS = 5;
