import { newId } from '#platform/database/ids.ts';
import type { Matrix } from '../actors.ts';
import { forAdmins, UNKNOWN } from './rows.ts';

const anInvitee = () => ({ email: `${newId()}@example.test`, account_type: 2 });

const inAWeek = () => new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);

/** Each job has an unknown user, so that it ends immediately. */
export const manyUsersRows: Matrix = {
  saveUsers: [
    forAdmins(() => ({ body: [anInvitee()] })),
    forAdmins(() => ({ query: { preview: '1' }, body: [anInvitee()] }), { about: 'as a preview' }),
  ],
  startBulk: [
    forAdmins(async (world) => {
      await world.endJobs();
      return { body: { action: 'revoke', user_ids: [newId()] } };
    }),
    forAdmins(() => ({ body: { action: 'revoke', filter: {}, dry_run: true } }), { about: 'as a dry run' }),
    forAdmins(
      async (world) => {
        await world.endJobs();
        return { body: { action: 'set_end', user_ids: [newId()], ends_on: inAWeek() } };
      },
      { about: 'with an end date' },
    ),
  ],
  getBulk: [
    forAdmins(async (world) => ({ params: { jobId: await world.createJob() } })),
    forAdmins(() => ({ params: { jobId: newId() } }), UNKNOWN),
  ],
};
