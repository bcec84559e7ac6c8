import type { Authentication } from '@steward/contract/integrations';
import { sql } from 'kysely';
import type { Database, Trx } from '#platform/database/database.ts';
import { databaseNow, toMilliseconds } from '#platform/database/milliseconds.ts';

export interface IntegrationKey {
  teamId: string;
  integrationId: string;
}

/** An exclusive, time-limited right to change an integration. */
export interface Lease extends IntegrationKey {
  holder: string;
}

/** A stored integration. Times are in milliseconds. Credentials, path key and signing secret are sealed. */
export interface IntegrationRow {
  team_id: string;
  id: string;
  code: string;
  state: 'off' | 'connecting' | 'on' | 'disconnecting';
  /** True while a change is in progress. */
  is_busy: boolean;
  /** True if that change is a reconcile in the background. */
  is_reconciling: boolean;
  /** True once it has been in this state for a day. */
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
  refused_count: number;
  refused_reason: string;
  refused_at: number | null;
}

/** Prefix of the holder of a reconcile's lease. */
export const RECONCILE_HOLDER = 'reconcile:';

const columns = sql`i.team_id, i.id, i.code, i.state, coalesce(i.busy_until > now(), false) as is_busy,
  coalesce(i.busy_until > now() and i.busy_by like 'reconcile:%', false) as is_reconciling,
  i.changed_at < now() - interval '24 hours' as is_old, i.domain, i.username,
  i.authentication, i.credentials, i.path_key, i.webhook_id, i.signing_secret, i.created_trigger_id, i.updated_trigger_id,
  i.ticket_created, i.ticket_updated, i.message, i.warnings, i.broken, i.user_id, i.last_error,
  ${toMilliseconds(sql.ref('i.last_delivery_at'))} as last_delivery_at,
  ${toMilliseconds(sql.ref('i.last_error_at'))} as last_error_at, i.refused_count, i.refused_reason,
  ${toMilliseconds(sql.ref('i.refused_at'))} as refused_at`;

export async function listIntegrationRows(db: Database, teamId: string): Promise<IntegrationRow[]> {
  const { rows } = await sql<IntegrationRow>`select ${columns} from integrations i
    where i.team_id = ${teamId} order by i.id`.execute(db);
  return rows;
}

export async function findIntegration(
  db: Database | Trx,
  { teamId, integrationId }: IntegrationKey,
): Promise<IntegrationRow | undefined> {
  const { rows } = await sql<IntegrationRow>`select ${columns} from integrations i
    where i.team_id = ${teamId} and i.id = ${integrationId}`.execute(db);
  return rows[0];
}

/** An integration that received a request, and the time of the request, in milliseconds by the database's clock. */
export interface CalledIntegration extends IntegrationRow {
  called_at: number;
}

/** The integration whose hook URL ends in the key with this hash. */
export async function findIntegrationByKey(db: Database, pathHash: string): Promise<CalledIntegration | undefined> {
  const { rows } = await sql<CalledIntegration>`select ${columns}, ${databaseNow} as called_at from integrations i
    where i.path_hash = ${pathHash}`.execute(db);
  return rows[0];
}

/** Longer than any change: its calls to the service take less than a minute. */
const LEASE = sql.raw(`interval '90 seconds'`);

/** A first connection stores this before it creates anything at the service. The login is stored once it has succeeded. */
export type NewIntegration = Pick<IntegrationRow, 'code' | 'authentication' | 'message'> & { path_hash: string };

/** Adds an integration in state `connecting`, leased by the caller; undefined if it exists already. */
export async function addIntegration(
  db: Database,
  { teamId, integrationId, holder }: Lease,
  integration: NewIntegration,
): Promise<IntegrationRow | undefined> {
  const { code, authentication, path_hash, message } = integration;
  const { rows } =
    await sql<IntegrationRow>`insert into integrations as i (team_id, id, code, state, busy_until, busy_by,
      domain, username, authentication, path_hash, message)
    values (${teamId}, ${integrationId}, ${code}, 'connecting', now() + ${LEASE}, ${holder},
      '', '', ${authentication}, ${path_hash}, ${message})
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0];
}

const updateIntegration = (db: Database | Trx, { teamId, integrationId }: IntegrationKey) =>
  db.updateTable('integrations').where('team_id', '=', teamId).where('id', '=', integrationId);

/** Returns undefined if another change holds the lease, or if there is no such integration. */
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

export async function endLease(db: Database, { teamId, integrationId, holder }: Lease): Promise<void> {
  await updateIntegration(db, { teamId, integrationId })
    .set({ busy_until: null, busy_by: null })
    .where('busy_by', '=', holder)
    .execute();
}

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
    | 'refused_at'
  >
> & { path_hash?: string; checked_at?: null; refused_at?: null };

/** Returns false if the lease has been lost. */
export async function saveLeaseStep(
  db: Database | Trx,
  { teamId, integrationId, holder }: Lease,
  step: Step,
): Promise<boolean> {
  const now = sql<Date>`now()`;
  const moved = step.state !== undefined && { changed_at: now, ...(step.state === 'on' && { connected_at: now }) };
  const { numUpdatedRows } = await updateIntegration(db, { teamId, integrationId })
    .set({ ...step, ...moved })
    .where('busy_by', '=', holder)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Deletes an integration that was never connected; false if it has deliveries to keep. */
export async function removeIntegration(db: Database, { teamId, integrationId, holder }: Lease): Promise<boolean> {
  const { rows } = await sql`delete from integrations i
    where i.team_id = ${teamId} and i.id = ${integrationId} and i.busy_by = ${holder} and not exists (
      select 1 from deliveries d where d.team_id = i.team_id and d.integration_id = i.id)
    returning 1`.execute(db);
  return rows.length === 1;
}

/** A reconcile is recent for this long: opening the settings doesn't start another. */
const FRESH = sql.raw(`interval '5 minutes'`);

/** Records the start of a reconcile; false if there was a recent one, or if a change is in progress. */
export async function recordReconcile(trx: Trx, { teamId, integrationId }: IntegrationKey): Promise<boolean> {
  const { rows } = await sql`update integrations set checked_at = now()
    where team_id = ${teamId} and id = ${integrationId} and (checked_at is null or checked_at < now() - ${FRESH})
      and (busy_until is null or busy_until <= now()) returning 1`.execute(trx);
  return rows.length === 1;
}

/** Opening the settings starts another reconcile after this. */
export async function forgetReconcile(db: Database, key: IntegrationKey): Promise<void> {
  await updateIntegration(db, key).set({ checked_at: null }).execute();
}

/** Integrations due for a reconcile: connected ones once a day, and those with an interrupted change. */
export async function listDueReconciliations(db: Database, limit: number): Promise<IntegrationKey[]> {
  const { rows } = await sql<IntegrationKey>`select team_id as "teamId", id as "integrationId" from integrations
    where (busy_until is null or busy_until <= now()) and coalesce(checked_at, connected_at) < now() - ${FRESH}
      and (state in ('connecting', 'disconnecting')
        or state = 'on' and coalesce(checked_at, connected_at) < now() - interval '24 hours')
    order by checked_at nulls first limit ${limit}`.execute(db);
  return rows;
}

export async function recordDelivery(trx: Trx, { teamId, integrationId }: IntegrationKey): Promise<void> {
  await sql`update integrations set last_delivery_at = greatest(last_delivery_at, now())
    where team_id = ${teamId} and id = ${integrationId}`.execute(trx);
}

export async function recordDeliveryError(trx: Trx, key: IntegrationKey, error: string): Promise<void> {
  await updateIntegration(trx, key).set({ last_error: error, last_error_at: sql<Date>`now()` }).execute();
}

export interface Refusals {
  count: number;
  /** The reason for the last one. */
  reason: string;
}

export async function recordRefusals(
  db: Database,
  { teamId, integrationId }: IntegrationKey,
  { count, reason }: Refusals,
): Promise<void> {
  await sql`update integrations
    set refused_count = refused_count + ${count}, refused_reason = ${reason}, refused_at = now()
    where team_id = ${teamId} and id = ${integrationId}`.execute(db);
}

export type SealedRow = Pick<IntegrationRow, 'credentials' | 'path_key' | 'signing_secret'>;

export async function listSealed(db: Database): Promise<(IntegrationKey & SealedRow)[]> {
  const { rows } = await sql<
    IntegrationKey & SealedRow
  >`select team_id as "teamId", id as "integrationId", credentials, path_key,
      signing_secret
    from integrations where coalesce(credentials, path_key, signing_secret) is not null order by team_id, id`.execute(
    db,
  );
  return rows;
}

/** The sealed values of an integration, locked until the transaction ends. */
export function lockSealedRow(trx: Trx, { teamId, integrationId }: IntegrationKey): Promise<SealedRow | undefined> {
  return trx
    .selectFrom('integrations')
    .select(['credentials', 'path_key', 'signing_secret'])
    .where('team_id', '=', teamId)
    .where('id', '=', integrationId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function saveSealed(trx: Trx, key: IntegrationKey, row: SealedRow): Promise<void> {
  const { credentials, path_key, signing_secret } = row;
  await updateIntegration(trx, key).set({ credentials, path_key, signing_secret }).execute();
}

/** Records that the signing secret is being read again; false if that happened within the last minute. */
export async function beginSecretRead(db: Database, { teamId, integrationId }: IntegrationKey): Promise<boolean> {
  const { rows } = await sql`update integrations set secret_read_at = now()
    where team_id = ${teamId} and id = ${integrationId} and state = 'on'
      and (secret_read_at is null or secret_read_at < now() - interval '1 minute') returning 1`.execute(db);
  return rows.length === 1;
}

/** Stores the secret that was read, unless the webhook has been replaced since; undefined if it couldn't be read. */
export async function endSecretRead(
  db: Database,
  { teamId, integrationId }: IntegrationKey,
  read: { webhookId: string; secret: string } | undefined,
): Promise<void> {
  await sql`update integrations set secret_seen_at = now(),
      signing_secret = case when webhook_id = ${read?.webhookId ?? null} then ${read?.secret ?? null} else signing_secret end
    where team_id = ${teamId} and id = ${integrationId}`.execute(db);
}

/** The stored signing secret, sealed, and whether a node is reading it from the service now. */
export interface StoredSecret {
  signing_secret: string | null;
  is_being_read: boolean;
}

/** The stored signing secret. An interrupted read counts as in progress for ten seconds. */
export async function findSecret(
  db: Database,
  { teamId, integrationId }: IntegrationKey,
): Promise<StoredSecret | undefined> {
  const { rows } =
    await sql<StoredSecret>`select signing_secret, coalesce(secret_read_at > now() - interval '10 seconds'
      and (secret_seen_at is null or secret_seen_at < secret_read_at), false) as is_being_read
    from integrations where team_id = ${teamId} and id = ${integrationId}`.execute(db);
  return rows[0];
}
