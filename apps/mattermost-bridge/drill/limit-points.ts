// Points about what the bridge may never do, and about its own team.
import { z } from 'zod';
import { Id } from '../src/answers.ts';
import { deleteThreads, type Permit } from '../src/deletion.ts';
import { CALLS, createMattermost, type Mattermost } from '../src/mattermost.client.ts';
import { rehearse } from '../src/rehearsal.ts';
import { listPages } from '../src/sweep.ts';
import { permitOld, type Stage, sweep } from './stage.ts';
import { expect, expectSame, readOnly, tally, write } from './steps.ts';

/** Changing settings, and permanent deletion of people, teams and channels. */
const NEVER = /config|permanent=true|license|roles|bots\/|password$/;

export async function lackDangerousCalls(stage: Stage): Promise<string> {
  const changing = Object.values(CALLS).filter(({ method }) => method !== 'GET');
  const dangerous = changing.filter(({ method, path }) => NEVER.test(path) && `${method} ${path}` !== DELETION);
  expectSame('dangerous calls', dangerous, []);
  const { mattermost, team } = stage;
  const before = mattermost.count();
  for (const bad of [`${team.id}?permanent=true`, '../users/me', '']) {
    const refused = await mattermost
      .call('archiveTeam', { ids: { team: bad } })
      .then(() => false)
      .catch(() => true);
    expect(refused && mattermost.count() === before, 'a call with a wrong id was sent');
  }
  return `${changing.length} calls that change something`;
}

const DELETION = 'DELETE posts/:post?permanent=true';

export async function leaveOtherTeams(stage: Stage): Promise<string> {
  const { mattermost, scope, talk, quay, me } = stage;
  const { client, attempts } = readOnly(mattermost);
  await write(stage, {}, quay);
  await write(stage);
  const direct = await stage.server.send('POST channels/direct', { body: [me.id, me.id] });
  const { id } = z.object({ id: Id }).parse(direct.body);
  const permits: Permit[] = [
    await permitOld(mattermost, quay),
    // A permit for a channel that was moved to another team since.
    { ...(await permitOld(mattermost, talk)), channel: quay.id },
    { ...(await permitOld(mattermost, talk)), channel: id },
  ];
  for (const permit of permits) {
    const { outcomes } = await deleteThreads(client, permit, scope);
    expectSame('outcomes', tally(outcomes), { changed: permit.rows.length });
  }
  expectSame('changing calls', attempts, []);
  return 'a team, a channel that moved, and a direct channel';
}

export async function rehearseTwice(stage: Stage): Promise<string> {
  // The rehearsal has a team of its own and its own rules about it, so the fence isn't for it.
  const mattermost = createMattermost({ url: stage.server.url, token: stage.server.token });
  const first = await rehearse(mattermost, undefined, { anyVersion: true });
  const reason = first.steps.filter((step) => !step.passed).map(({ name, detail }) => `${name} ${detail}`.trim());
  expectSame('rows of the table that failed', reason, []);
  const before = await countRehearsal(mattermost, first.team ?? '');
  const second = await rehearse(mattermost, first.team, { anyVersion: true });
  expect(second.passed, 'the second rehearsal failed');
  expectSame('rows, channels and members', await countRehearsal(mattermost, first.team ?? ''), before);
  return 'rows, channels and members are the same';
}

async function countRehearsal(mattermost: Mattermost, team: string): Promise<number[]> {
  const all = (await Array.fromAsync(listPages(mattermost, 'listChannels'))).flat();
  const channels = all.filter((channel) => channel.team_id === team);
  const members = (await Array.fromAsync(listPages(mattermost, 'listTeamMembers', { team }))).flat();
  let rows = 0;
  for (const channel of channels) rows += (await sweep(mattermost, channel)).length;
  return [rows, channels.length, members.length];
}
