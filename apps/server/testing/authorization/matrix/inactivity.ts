import { newId } from '#platform/database/ids.ts';
import type { Matrix, MatrixRow, World } from '../actors.ts';
import { forAll, forOwners, UNKNOWN_TO_OWNERS } from './rows.ts';

const unknown = 'A'.repeat(43);

let days = 100;

/** Another rule each time, so that it is a change. */
async function toRule(world: World) {
  await world.createActivitySource();
  days = days === 700 ? 100 : days + 1;
  return { body: { is_on: true, source: 'reports', days, skips_held: true, skips_provisioned: false } };
}

const except = (user_id: string) => ({ body: { user_id, reason: `Sabbatical ${newId()}` } });

/** Only the link counts. */
const linkRows: MatrixRow[] = [
  { expected: forAll(200), send: async (world) => ({ body: { token: await world.createWarning() } }) },
  { about: 'that is unknown', expected: forAll(400), send: () => ({ body: { token: unknown } }) },
];

/** Only the service token counts. */
const reportRow = (
  about: string | undefined,
  status: number,
  toHeaders: (world: World) => Promise<Record<string, string>>,
): MatrixRow => ({
  ...(about !== undefined && { about }),
  expected: forAll(status),
  send: async (world) => ({
    params: { teamId: world.teamId },
    headers: await toHeaders(world),
    body: { activity: [{ user_id: world.memberId, active_at: 1 }] },
  }),
});

const longAgo = () => ({ params: { night: '2001-01-01' }, body: {} });

export const inactivityRows: Matrix = {
  getInactivity: [forOwners()],
  saveInactivity: [forOwners(toRule)],
  previewInactivity: [forOwners(toRule)],
  saveInactivityException: [
    forOwners((world) => except(world.memberId)),
    forOwners(() => except(newId()), UNKNOWN_TO_OWNERS),
  ],
  removeInactivityException: [
    forOwners(async (world) => ({ params: { userId: await world.createException() } })),
    forOwners(() => ({ params: { userId: newId() } }), UNKNOWN_TO_OWNERS),
  ],
  confirmInactivityNight: [
    forOwners(async (world) => ({ params: { night: await world.createInactivityNight('asks') }, body: {} })),
    forOwners(longAgo, UNKNOWN_TO_OWNERS),
  ],
  undoInactivityNight: [
    forOwners(async (world) => ({ params: { night: await world.createInactivityNight('done') }, body: {} })),
    forOwners(longAgo, UNKNOWN_TO_OWNERS),
  ],
  checkStillNeeded: linkRows,
  confirmStillNeeded: linkRows,
  reportActivity: [
    reportRow(undefined, 200, async (world) => (await world.createFreshToken()).headers),
    reportRow('with a token of another team', 403, async (world) => (await world.foreignToken()).headers),
    reportRow('without a token', 401, async () => ({})),
  ],
};
