import { newId } from '@steward/server/src/platform/database/ids.ts';
import { buildGroup, scim, scimToken } from '@steward/server/testing/peers/scim.ts';
import { channel, complianceAccess, file, serviceToken } from '@steward/server/testing/workspace/content.ts';
import { user } from '@steward/server/testing/workspace/factories.ts';
import { failedDelivery, helpdesk } from '@steward/server/testing/workspace/integrations.ts';
import { runNow, setRule } from '@steward/server/testing/workspace/retention.ts';
import { renameEntry } from '../audit/audit-screen.ts';
import { seedEntries } from '../directory/directory-screen.ts';
import { addSignIns } from '../users/sign-ins/sign-ins-screen.ts';
import type { Given } from './fixtures.ts';

/** This word has the maximum length of a name, and no place to break it. */
const LONG = 'Donaudampfschifffahrtsgesellschaft'.repeat(3).slice(0, 100);
const LONG_EMAIL = `${'very-long-name'.repeat(4)}@${'long-'.repeat(11)}name.example.test`;

/** Fills each screen of a team with the longest allowed names. */
export async function seedScreens({ node, team }: Given): Promise<void> {
  const given = { node, team };
  const names = { team: team.id, first_name: LONG, last_name: LONG };
  const named = (initial: string) => ({ ...names, email: `${initial}.${team.id}.${LONG_EMAIL}` });
  const reader = await user(node, named('a'));
  await user(node, { ...named('b'), pending: true });
  const long = await user(node, { ...named('c'), kind: 'admin', deactivated: true });
  const address = '2001:0db8:1111:2222:3333:4444:5555:6666';
  await addSignIns(given, [{ who: long.id, outcome: 'sso_refused', device: 'Chrome on ChromeOS', address }]);
  const longest = { name: LONG + LONG, phone_number: LONG, sms: LONG, email: LONG_EMAIL };
  await seedEntries(given, longest, { name: 'One', phone_number: '5551234567' });
  await renameEntry(given, [LONG, LONG.toLowerCase()]);
  await serviceToken(node, team.id, { name: LONG });
  const far = await channel(node, team.id, { name: LONG.toLowerCase(), displayName: LONG });
  // The second channel was deleted since it was saved.
  const defaults = [far, { id: newId(), name: LONG }].map(({ id, name }) => ({ channel_id: id, channel_name: name }));
  const values = defaults.map((saved) => ({ team_id: team.id, ...saved }));
  await node.db.insertInto('default_channels').values(values).execute();
  const provider = await scimToken(node, team.id, team.owner.id);
  await scim(node, provider, 'POST /Groups', { body: buildGroup(LONG, [reader.id]) });
  const closed = await channel(node, team.id, { type: 'P', displayName: LONG });
  await complianceAccess(node, team.id, { channelId: closed.id, userId: reader.id, grantedBy: reader.id });
  await helpdesk(node, team.id, { channels: [far], domain: 'long'.repeat(15) });
  await failedDelivery(node, team.id, far);
  await setRule(node, team.id, 'files', { value: 0, canmark: 1, duration: { count: 30, period: 'd' } });
  await setRule(node, team.id, 'archived_notes', { value: 1, duration: { count: 1, period: 'y' } });
  await file(node, team.id, { createAt: 1_000, deleteAt: 1_000 });
  await runNow(node, team.id);
}
