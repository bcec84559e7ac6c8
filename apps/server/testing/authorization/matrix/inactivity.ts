import { saveException } from '#features/users/inactivity/rule.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { serviceToken } from '#testing/workspace/content.ts';
import { team, user } from '#testing/workspace/factories.ts';
import { activitySource, inactivityNight, inactivityWarning } from '#testing/workspace/inactivity.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { about, forAll, forAnyone, forOwners, ownersAbout, row, UNKNOWN_TO_OWNERS, UNKNOWN_TOKEN } from './rows.ts';

let days = 100;

/** Another rule each time, so that it is a change. */
async function toRule({ node, teamId }: World): Promise<Sending> {
  await activitySource(node, teamId);
  days = days === 700 ? 100 : days + 1;
  return { body: { is_on: true, source: 'reports', days, skips_held: true, skips_provisioned: false } };
}

const except = (user_id: string) => ({ body: { user_id, reason: `Sabbatical ${newId()}` } });

async function newException({ node, teamId, member }: World): Promise<string> {
  const { id } = await user(node, { team: teamId });
  const exception = { teamId, userId: id, addedBy: member.id, reason: 'Sabbatical', until: null };
  await inTransaction(node.db, (trx) => saveException(trx, exception));
  return id;
}

/** Only the link counts. */
const linkRows: MatrixRow[] = [
  forAnyone(async ({ node, teamId }) => {
    const { id } = await user(node, { team: teamId });
    return { body: { token: await inactivityWarning(node, { teamId, userId: id }) } };
  }),
  row('that is unknown', forAll(400), () => ({ body: { token: UNKNOWN_TOKEN } })),
];

/** Only the service token counts. */
const report = ({ teamId, member }: World, headers = {}) => ({
  params: { teamId },
  headers,
  body: { activity: [{ user_id: member.id, active_at: 1 }] },
});

const ofNight = (state: 'asks' | 'done'): MatrixRow[] => [
  forOwners(about('night', ({ node, teamId }) => inactivityNight(node, teamId, state), { body: {} })),
  forOwners(() => ({ params: { night: '2001-01-01' }, body: {} }), UNKNOWN_TO_OWNERS),
];

export const inactivityRows: Matrix = {
  getInactivity: [forOwners()],
  saveInactivity: [forOwners(toRule)],
  previewInactivity: [forOwners(toRule)],
  saveInactivityException: [
    forOwners(({ member }) => except(member.id)),
    forOwners(() => except(newId()), UNKNOWN_TO_OWNERS),
  ],
  removeInactivityException: ownersAbout('userId', newException),
  confirmInactivityNight: ofNight('asks'),
  undoInactivityNight: ofNight('done'),
  checkStillNeeded: linkRows,
  confirmStillNeeded: linkRows,
  reportActivity: [
    forAnyone(async (world) => report(world, (await serviceToken(world.node, world.teamId)).headers)),
    row('with a token of another team', forAll(403), async (world) =>
      report(world, (await serviceToken(world.node, await team(world.node))).headers),
    ),
    row('without a token', forAll(401), (world) => report(world)),
  ],
};
