import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startApp } from '#testing/app/start-app.ts';
import { createTeamWithMembers } from '#testing/workspace/factories.ts';
import { setRule } from '#testing/workspace/retention.ts';
import { startTeamRuns } from './runs.actions.ts';

test('owners and admins get an email about a run that failed, and none about one that finished', async () => {
  // Workers would take the run with the correct clock.
  await using node = await startApp({ work: false });
  const team = await createTeamWithMembers(node);
  await createTeamWithMembers(node);
  await setRule(node, team.id, 'files', { value: 1, duration: { count: 1, period: 'd' } });
  const recipients = async () => {
    const mails = node.db.selectFrom('mails').select('recipient').where('kind', '=', 'notices.run_failed');
    return (await mails.execute()).map(({ recipient }) => recipient).sort();
  };
  const run = { teamId: team.id, origin: 'night', startedBy: null } as const;
  await startTeamRuns(node.deps, run);
  assert.deepEqual(await recipients(), []);
  // The clock of this process is an hour ahead of the database's.
  await startTeamRuns(node.deps, run, () => Date.now() + 3_600_000);
  assert.deepEqual(await recipients(), [team.owner.email, team.admin.email].sort());
  await using worker = await startApp({ beside: node });
  const { text } = await worker.inbox.next(team.owner.email);
  assert.match(text, /A retention run over the files of .* failed\. The server and database clocks differ/);
  assert.match(text, /\/dashboard\/team_settings\/retention/);
});
