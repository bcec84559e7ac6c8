import { Id } from '@steward/contract/api/fields';
import type * as endpoints from '@steward/contract/users/privacy';
import type { DataExport } from '@steward/contract/users/privacy';
import { isOwnerOfTeam } from '@steward/contract/users/roles';
import type { Trx } from '#platform/database/database.ts';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import type { SignedIn } from '#workspace/access/enter-team.ts';
import type { Changed } from '#workspace/changes/change.ts';
import { addExport, type ExportRequest, type ExportRow, findExport } from '#workspace/content/exports.store.ts';
import { findMember } from '#workspace/users/members.store.ts';
import type { TargetInput } from '../users.actions.ts';
import { type Caller, getRefusal } from '../users.policy.ts';
import { writeExport } from './export.job.ts';
import { findFormerMember } from './former-users.store.ts';

export function requireOwner({ roles }: Pick<Caller, 'roles'>): void {
  if (!isOwnerOfTeam(roles)) refuse('team.owner_required');
}

/** Starts an export of what the team stores about a member or a former one. */
export async function exportUser(
  trx: Trx,
  deps: Deps,
  { teamId, userId, caller, ...input }: TargetInput & { reason: string },
): Promise<Changed<typeof endpoints.exportUser>> {
  requireOwner(caller);
  await requireExportable(trx, { teamId, userId, caller });
  const request = { teamId, about: 'person', subjectId: userId, requestedBy: caller.userId } as const;
  const { id, isNew } = await startExport(trx, deps, request);
  const event = { action: 'users.exported', teamId, actorId: caller.userId, target: userId } as const;
  return { answer: { status_code: 200, id }, audit: isNew ? { ...event, details: { reason: input.reason } } : null };
}

async function requireExportable(trx: Trx, { teamId, userId, caller }: TargetInput): Promise<void> {
  const member = await findMember(trx, teamId, userId);
  if (member) {
    const refusal = getRefusal('export', member, caller);
    if (refusal) refuse(refusal);
    return;
  }
  if (!Id.safeParse(userId).success || !(await findFormerMember(trx, teamId, userId))) refuse('record.not_found');
}

/** Starts an export of everything about the caller. */
export async function exportOwnData(
  trx: Trx,
  deps: Deps,
  { userId }: SignedIn,
): Promise<Changed<typeof endpoints.exportOwnData>> {
  const { id, isNew } = await startExport(trx, deps, {
    teamId: '',
    about: 'person',
    subjectId: userId,
    requestedBy: userId,
  });
  const event = { action: 'session.data_exported', teamId: '', actorId: userId, target: userId } as const;
  return { answer: { status_code: 200, id }, audit: isNew ? event : null };
}

async function startExport(trx: Trx, deps: Deps, request: ExportRequest): Promise<{ id: string; isNew: boolean }> {
  const added = await addExport(trx, request);
  if (added.isNew) await deps.jobs.send(trx, writeExport, { team_id: request.teamId, export_id: added.id });
  return added;
}

/** The newest export, or the one with this id, that the caller requested; an invalid id is an unknown one. */
export async function readExport(
  deps: Deps,
  { userId, ...request }: { teamId: string; userId: string; requestedBy: string; exportId?: string },
): Promise<ExportRow | undefined> {
  const ids = [userId, ...(request.exportId === undefined ? [] : [request.exportId])];
  if (!ids.every((id) => Id.safeParse(id).success)) return undefined;
  return findExport(deps.db, { ...request, about: 'person', subjectId: userId });
}

export function toAnswer(row: ExportRow, url: string): DataExport {
  const { id, state, size, requested_at, expires_at } = row;
  return { id, state, size, requested_at, expires_at, url: state === 'done' ? url : null };
}
