import { TOKEN_YEARS, TOKEN_YEARS_MAX, TOKENS_PER_TEAM } from '@steward/contract/api/limits';
import { ContentKind } from '@steward/contract/content';
import { toTokenExpiry } from '@steward/contract/tokens';
import { inTransaction } from '@steward/server/src/platform/database/database.ts';
import { newId } from '@steward/server/src/platform/database/ids.ts';
import { addServiceToken, lockServiceTokens } from '@steward/server/src/workspace/access/tokens.store.ts';
import { type AuditEvent, addAuditEvent } from '@steward/server/src/workspace/audit/audit.store.ts';
import { operatorOrigin } from '@steward/server/src/workspace/audit/operator-origin.ts';
import { findFirstOwner } from '@steward/server/src/workspace/users/managers.store.ts';
import { type Command, Mistake } from '../command.ts';
import { isTeam } from '../fill/fill.store.ts';
import type { Workspace } from '../open-workspace.ts';
import { read, typed } from '../option-schemas.ts';

/** A chat, meeting or phone service imports content with this token. */
export const createToken: Command = {
  summary: 'Create a service token for importing content',
  notes: [
    'Owners of the team see the token in their list by its name and can remove it. Its value is printed only once.',
    'It counts as created by the first owner of the team, and stops when that person is no longer an owner.',
    `Kinds: ${ContentKind.options.join(', ')}.`,
  ],
  options: {
    team: { value: 'id', help: 'Team to import content into', required: true },
    name: { value: 'text', help: 'Name shown to owners and admins (default Service)' },
    kinds: { value: 'list', help: 'Kinds of content it may import, with commas between (default all)' },
    'speak-for-users': { help: 'Let lines name the user they are from' },
    expires: { value: 'day', help: 'First day on which it is no longer valid, such as 2027-01-31 (default in a year)' },
  },
  prepare: (given) => {
    const teamId = read(typed.teamId, 'team', given.team);
    const name = read(typed.tokenName, 'name', given.name ?? 'Service');
    const kinds = given.kinds === undefined ? undefined : read(typed.contentKinds, 'kinds', given.kinds);
    const expiresAt = given.expires === undefined ? undefined : read(typed.day, 'expires', given.expires);
    const speakForUsers = given.switches.has('speak-for-users');
    return async (workspace) => {
      const { id, token } = await createServiceToken(workspace, { teamId, name, kinds, speakForUsers, expiresAt });
      return { result: { id, token }, lines: [`Token  ${token} (shown only once)`, `Id     ${id}`] };
    };
  },
};

/** The defaults are those of the API. */
interface TokenOptions {
  teamId: string;
  name: string;
  kinds?: readonly ContentKind[] | undefined;
  speakForUsers?: boolean;
  /** In milliseconds. */
  expiresAt?: number | undefined;
}

/** The token stops when the team's first owner does. Only its hash is stored. */
export async function createServiceToken(
  workspace: Pick<Workspace, 'db' | 'secrets'>,
  { teamId, name, kinds = ContentKind.options, speakForUsers = false, expiresAt }: TokenOptions,
): Promise<{ id: string; token: string }> {
  return inTransaction(workspace.db, async (trx) => {
    if (!(await isTeam(trx, teamId))) throw new Mistake(`No team has the id ${teamId}.`);
    const { count, now } = await lockServiceTokens(trx, teamId);
    if (count >= TOKENS_PER_TEAM)
      throw new Mistake(`The team has reached its limit of ${TOKENS_PER_TEAM} service tokens.`);
    const end = expiresAt ?? toTokenExpiry(now, TOKEN_YEARS);
    if (end <= now) throw new Mistake('--expires is in the past.');
    if (end > toTokenExpiry(now, TOKEN_YEARS_MAX))
      throw new Mistake(`--expires must be at most ${TOKEN_YEARS_MAX} years ahead.`);
    const [createdBy, sourceId] = [await findFirstOwner(trx, teamId), newId()];
    const made = await addServiceToken(trx, {
      teamId,
      name,
      createdBy,
      kinds,
      speakForUsers,
      expiresAt: end,
      sourceId,
    });
    const details = { name, kinds: [...kinds], speak_for_users: speakForUsers, expires_at: end, source_id: sourceId };
    const event: AuditEvent = { action: 'tokens.added', teamId, actorId: null, target: made.id, details };
    await addAuditEvent(trx, workspace, { ...event, origin: operatorOrigin() });
    return made;
  });
}
