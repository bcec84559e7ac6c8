// The audit log: an admin reads who changed what, when and from where.
// Owns no table. Reads audit_events, which workspace/audit/audit.store.ts writes with every change, and the names of the
// things that its rows are about.

import { type AuditRecord, listAuditEvents } from '@steward/contract/audit';
import { findAuditAction, parseAuditActions } from '@steward/contract/audit/catalog';
import { fromStoredDetails } from '@steward/contract/audit/details';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import { getPage, readCursor, rowsToFetch } from '#platform/http/paging.ts';
import type { Access } from '#workspace/access/access.ts';
import { collectIds, findNameInDetails, getAuditActorKind, hideChannels, truncateLists } from './audit.rules.ts';
import { type AuditReader, type AuditRow, findNames, findUsers, listAudit, listHiddenChannels } from './audit.store.ts';

export function auditRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, listAuditEvents, access.teamAdmin, async ({ who, query }) => {
    const { last_key, limit, ...filters } = query;
    const scope = { list: 'audit', teamId: who.teamId, filters };
    const cursor = readCursor(deps.secrets, scope, last_key);
    const reader = { teamId: who.teamId, userId: who.userId, isOwner: isOwnerOfTeam(who.roles) };
    const isHidden = await isHiddenTarget(deps, reader, query.target);
    const search = {
      teamId: who.teamId,
      actor: query.actor === 'none' ? '' : query.actor,
      actions: query.action === undefined ? undefined : parseAuditActions(query.action),
      target: query.target,
      from: query.from,
      to: query.to,
      before: cursor && { micros: cursor[0] ?? '', id: cursor[1] ?? '' },
      limit: rowsToFetch(limit),
    };
    // The primary decides which channels the reader may see.
    const rows = isHidden ? [] : await deps.replica.read((db) => listAudit(db, search));
    const first = cursor === undefined;
    const toKey = ({ micros, id }: AuditRow) => [micros, id];
    const page = getPage(rows, { limit, first, secrets: deps.secrets, scope, toKey });
    return { ...page, records: await toRecords(deps, reader, page.records) };
  });
}

/** Rows about a hidden channel would reveal that it exists. */
async function isHiddenTarget(deps: Deps, reader: AuditReader, target: string | undefined): Promise<boolean> {
  if (target === undefined || reader.isOwner) return false;
  return (await listHiddenChannels(deps.db, reader, [target])).has(target);
}

/** Hides channels that the reader doesn't see. Owners see the channels of rows about compliance access. */
async function showChannels<Row extends AuditRow>(deps: Deps, reader: AuditReader, rows: Row[]): Promise<Row[]> {
  const hidden = await listHiddenChannels(deps.db, reader, collectAll(rows));
  const isShown = ({ action }: Row) => reader.isOwner && findAuditAction(action)?.subject === 'channel';
  return rows.map((row) => (hidden.size === 0 || isShown(row) ? row : hideChannels(row, hidden)));
}

function collectAll(rows: readonly AuditRow[]): string[] {
  return [...new Set(rows.flatMap((row) => collectIds([row.actor_id, row.target, row.details])))];
}

async function toRecords(deps: Deps, reader: AuditReader, rows: readonly AuditRow[]): Promise<AuditRecord[]> {
  const versioned = rows.map((row) => ({ ...row, ...fromStoredDetails(row.details) }));
  const cut = (await showChannels(deps, reader, versioned)).map((row) => ({ ...row, ...truncateLists(row.details) }));
  const ids = collectAll(cut);
  const users = new Map((await findUsers(deps.db, reader.teamId, ids)).map((user) => [user.id, user]));
  const names = new Map((await findNames(deps.db, reader, ids)).map(({ id, name }) => [id, name]));
  for (const { id, name } of users.values()) names.set(id, name);
  return cut.map(({ micros: _, actor_id, target, ...row }) => ({
    ...row,
    by: getAuditActorKind({ ...row, actor_id }),
    actor: actor_id === null ? null : (users.get(actor_id) ?? { id: actor_id, name: '', email: '' }),
    target: target ?? '',
    target_name: names.get(target ?? '') || findNameInDetails(row.details),
    names: findNamesFor(names, collectIds(row.details)),
    address: row.address === 'operator' ? '' : row.address,
  }));
}

function findNamesFor(names: ReadonlyMap<string, string>, ids: readonly string[]): Record<string, string> {
  return Object.fromEntries(ids.flatMap((id) => [[id, names.get(id) ?? '']]).filter(([, name]) => name !== ''));
}
