import type { Authentication } from '@steward/contract/integrations';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, toMilliseconds } from '#platform/database/milliseconds.ts';

/** An integration of a team. */
export interface Place {
  teamId: string;
  integrationId: string;
}

/** The right to change an integration, for as long as nobody else may. */
export interface Lease extends Place {
  holder: string;
}

/** What is stored; instants in milliseconds, null for none. Credentials, path key and signing secret are sealed. */
export interface IntegrationRow {
  team_id: string;
  id: string;
  code: string;
  state: 'off' | 'connecting' | 'on' | 'disconnecting';
  /** Whether somebody is changing it right now. */
  is_busy: boolean;
  /** Whether that is a reconcile in the background. */
  is_reconciling: boolean;
  /** Whether it has been in this state for a day. */
  is_old: boolean;
  domain: string;
  username: string;
  authentication: Authentication;
  credentials: string | null;
  path_key: string | null;
  webhook_id: string | null;
  signing_secret: string | null;
  created_trigger_id: string | null;
  updated_trigger_id: string | null;
  ticket_created: boolean;
  ticket_updated: boolean;
  message: string;
  warnings: string[];
  broken: boolean;
  user_id: string | null;
  last_delivery_at: number | null;
  last_error: string;
  last_error_at: number | null;
}

/** How the holder of a reconcile's lease begins. */
export const RECONCILE_HOLDER = 'reconcile:';

const columns = sql`i.team_id, i.id, i.code, i.state, coalesce(i.busy_until > now(), false) as is_busy,
  coalesce(i.busy_until > now() and i.busy_by like 'reconcile:%', false) as is_reconciling,
  i.changed_at < now() - interval '24 hours' as is_old, i.domain, i.username,
  i.authentication, i.credentials, i.path_key, i.webhook_id, i.signing_secret, i.created_trigger_id, i.updated_trigger_id,
  i.ticket_created, i.ticket_updated, i.message, i.warnings, i.broken, i.user_id, i.last_error,
  ${toMilliseconds(sql.ref('i.last_delivery_at'))} as last_delivery_at,
  ${toMilliseconds(sql.ref('i.last_error_at'))} as last_error_at`;

/** The integrations that a team ever connected. */
export async function listIntegrationRows(db: Database, teamId: string): Promise<IntegrationRow[]> {
  const { rows } = await sql<IntegrationRow>`select ${columns} from integrations i
    where i.team_id = ${teamId} order by i.id`.execute(db);
  return rows;
}

export async function findIntegration(
  db: Database | Trx,
  { teamId, integrationId }: Place,
): Promise<IntegrationRow | undefined> {
  const { rows } = await sql<IntegrationRow>`select ${columns} from integrations i
    where i.team_id = ${teamId} and i.id = ${integrationId}`.execute(db);
  return rows[0];
}

/** An integration that a request came for, and when, in milliseconds by the database's clock. */
export interface CalledIntegration extends IntegrationRow {
  called_at: number;
}

/** The integration whose address ends with the key that has this hash. */
export async function findIntegrationByKey(db: Database, pathHash: string): Promise<CalledIntegration | undefined> {
  const { rows } = await sql<CalledIntegration>`select ${columns}, ${databaseNow} as called_at from integrations i
    where i.path_hash = ${pathHash}`.execute(db);
  return rows[0];
}

/** Longer than any change takes: the vendor's calls of one have less than a minute. */
const LEASE = sql.raw(`interval '90 seconds'`);

/** What a first connection stores before anything is created at the service. The login follows when it has succeeded. */
export type NewIntegration = Pick<IntegrationRow, 'code' | 'authentication' | 'message'> & { path_hash: string };

/** Adds an integration that is being connected, held by the caller; undefined if there is one already. */
export async function addIntegration(
  db: Database,
  { teamId, integrationId, holder }: Lease,
  made: NewIntegration,
): Promise<IntegrationRow | undefined> {
  const { code, authentication, path_hash, message } = made;
  const { rows } =
    await sql<IntegrationRow>`insert into integrations as i (team_id, id, code, state, busy_until, busy_by,
      domain, username, authentication, path_hash, message)
    values (${teamId}, ${integrationId}, ${code}, 'connecting', now() + ${LEASE}, ${holder},
      '', '', ${authentication}, ${path_hash}, ${message})
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0];
}

/** Takes the right to change an integration; undefined while somebody else has it, or where there is none. */
export async function takeLease(
  db: Database,
  { teamId, integrationId, holder }: Lease,
): Promise<IntegrationRow | undefined> {
  const { rows } = await sql<IntegrationRow>`update integrations i
    set busy_until = now() + ${LEASE}, busy_by = ${holder}
    where i.team_id = ${teamId} and i.id = ${integrationId} and (i.busy_until is null or i.busy_until <= now())
    returning ${columns}`.execute(db);
  return rows[0];
}

/** Gives it back. */
export async function endLease(db: Database, { teamId, integrationId, holder }: Lease): Promise<void> {
  await sql`update integrations set busy_until = null, busy_by = null
    where team_id = ${teamId} and id = ${integrationId} and busy_by = ${holder}`.execute(db);
}

/** What a step of a change may store. */
export type Step = Partial<
  Omit<
    IntegrationRow,
    | 'team_id'
    | 'id'
    | 'code'
    | 'is_busy'
    | 'is_reconciling'
    | 'is_old'
    | 'last_delivery_at'
    | 'last_error'
    | 'last_error_at'
  >
> & { path_hash?: string; checked_at?: null };

/** Stores a step; false where the right to change was lost meanwhile. */
export async function saveLeaseStep(
  db: Database | Trx,
  { teamId, integrationId, holder }: Lease,
  step: Step,
): Promise<boolean> {
  const now = sql<Date>`now()`;
  const moved = step.state !== undefined && { changed_at: now, ...(step.state === 'on' && { connected_at: now }) };
  const { numUpdatedRows } = await db
    .updateTable('integrations')
    .set({ ...step, ...moved })
    .where('team_id', '=', teamId)
    .where('id', '=', integrationId)
    .where('busy_by', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Forgets an integration that was never connected; false where it has a log to keep. */
export async function removeIntegration(db: Database, { teamId, integrationId, holder }: Lease): Promise<boolean> {
  const { rows } = await sql`delete from integrations i
    where i.team_id = ${teamId} and i.id = ${integrationId} and i.busy_by = ${holder} and not exists (
      select 1 from deliveries d where d.team_id = i.team_id and d.integration_id = i.id)
    returning 1`.execute(db);
  return rows.length === 1;
}

/** For so long a reconcile counts as recent: opening the settings begins no other. */
const FRESH = sql.raw(`interval '5 minutes'`);

/** Records that a reconcile begins; false if there was one recently, or somebody is changing the integration. */
export async function recordReconcile(trx: Trx, { teamId, integrationId }: Place): Promise<boolean> {
  const { rows } = await sql`update integrations set checked_at = now()
    where team_id = ${teamId} and id = ${integrationId} and (checked_at is null or checked_at < now() - ${FRESH})
      and (busy_until is null or busy_until <= now()) returning 1`.execute(trx);
  return rows.length === 1;
}

/** Forgets when the last reconcile was, so that opening the settings begins another. */
export async function forgetReconcile(db: Database, { teamId, integrationId }: Place): Promise<void> {
  await db
    .updateTable('integrations')
    .set({ checked_at: null })
    .where('team_id', '=', teamId)
    .where('id', '=', integrationId)
    .execute();
}

/** What a reconcile is due for: connected integrations once a day, and those whose change died. */
export async function listDueReconciliations(db: Database, limit: number): Promise<Place[]> {
  const { rows } = await sql<Place>`select team_id as "teamId", id as "integrationId" from integrations
    where (busy_until is null or busy_until <= now()) and coalesce(checked_at, connected_at) < now() - ${FRESH}
      and (state in ('connecting', 'disconnecting')
        or state = 'on' and coalesce(checked_at, connected_at) < now() - interval '24 hours')
    order by checked_at nulls first limit ${limit}`.execute(db);
  return rows;
}

/** Notes that the vendor delivered something, a moment ago or now. */
export async function recordDelivery(trx: Trx, { teamId, integrationId }: Place): Promise<void> {
  await sql`update integrations set last_delivery_at = greatest(last_delivery_at, now())
    where team_id = ${teamId} and id = ${integrationId}`.execute(trx);
}

/** Notes what kept a delivery from a channel. */
export async function recordDeliveryError(trx: Trx, { teamId, integrationId }: Place, error: string): Promise<void> {
  await sql`update integrations set last_error = ${error}, last_error_at = now()
    where team_id = ${teamId} and id = ${integrationId}`.execute(trx);
}

/** What lies sealed in a row. */
export type SealedRow = Pick<IntegrationRow, 'credentials' | 'path_key' | 'signing_secret'>;

/** Integrations with something sealed, of all teams. */
export async function listSealed(db: Database): Promise<(Place & SealedRow)[]> {
  const { rows } = await sql<
    Place & SealedRow
  >`select team_id as "teamId", id as "integrationId", credentials, path_key,
      signing_secret
    from integrations where coalesce(credentials, path_key, signing_secret) is not null order by team_id, id`.execute(
    db,
  );
  return rows;
}

/** The same of one, locked until the transaction ends. */
export async function lockSealedRow(trx: Trx, { teamId, integrationId }: Place): Promise<SealedRow | undefined> {
  const { rows } = await sql<SealedRow>`select credentials, path_key, signing_secret from integrations
    where team_id = ${teamId} and id = ${integrationId} for no key update`.execute(trx);
  return rows[0];
}

/** Stores what was sealed anew. */
export async function saveSealed(trx: Trx, { teamId, integrationId }: Place, row: SealedRow): Promise<void> {
  await sql`update integrations set credentials = ${row.credentials}, path_key = ${row.path_key},
      signing_secret = ${row.signing_secret}
    where team_id = ${teamId} and id = ${integrationId}`.execute(trx);
}

/** Notes that the signing secret is read again; false where that was done within the last minute. */
export async function beginSecretRead(db: Database, { teamId, integrationId }: Place): Promise<boolean> {
  const { rows } = await sql`update integrations set secret_read_at = now()
    where team_id = ${teamId} and id = ${integrationId} and state = 'on'
      and (secret_read_at is null or secret_read_at < now() - interval '1 minute') returning 1`.execute(db);
  return rows.length === 1;
}

/** Stores what was read, unless another webhook has taken the place of this one; undefined where nothing could be read. */
export async function endSecretRead(
  db: Database,
  { teamId, integrationId }: Place,
  read: { webhookId: string; secret: string } | undefined,
): Promise<void> {
  await sql`update integrations set secret_seen_at = now(),
      signing_secret = case when webhook_id = ${read?.webhookId ?? null} then ${read?.secret ?? null} else signing_secret end
    where team_id = ${teamId} and id = ${integrationId}`.execute(db);
}

/** The signing secret as it is stored now, sealed, and whether somebody is reading it at the vendor right now. */
export interface StoredSecret {
  signing_secret: string | null;
  is_being_read: boolean;
}

/** Who died while reading counts as reading for ten seconds. */
export async function findSecret(db: Database, { teamId, integrationId }: Place): Promise<StoredSecret | undefined> {
  const { rows } =
    await sql<StoredSecret>`select signing_secret, coalesce(secret_read_at > now() - interval '10 seconds'
      and (secret_seen_at is null or secret_seen_at < secret_read_at), false) as is_being_read
    from integrations where team_id = ${teamId} and id = ${integrationId}`.execute(db);
  return rows[0];
}
