import type { Database, Trx } from '#platform/database/database.ts';
import { refuse } from '#platform/http/errors.ts';
import { type GroupChange, readGroup } from '../groups/group.ts';
import { addGroup, removeGroup, saveGroup } from '../groups/groups.actions.ts';
import { findGroup, type GroupRow, listGroups, listMembers } from '../groups/groups.store.ts';
import { patchGroup } from '../groups/patch-group.ts';
import { readOperations } from '../patch-operations.ts';
import { asksFor, type Projection, project } from './answers/projection.ts';
import { toGroupResource } from './answers/resources.ts';
import { changeByScim } from './change-by-scim.actions.ts';
import { hasVersion, requireVersion } from './conditions.ts';
import { type ListQuery, readResourceQuery } from './list-query.ts';
import type { ScimAnswer, ScimCall } from './scim-call.ts';

export async function listGroupResources(
  call: ScimCall,
  { filter, startIndex, count, projection }: ListQuery,
): Promise<{ resources: object[]; total: number }> {
  const { deps, teamId } = call;
  const { rows, total } = await listGroups(deps.db, teamId, { filter, offset: startIndex - 1, limit: count });
  return { resources: await toResources(call, deps.db, { rows, projection }), total };
}

async function toResources(
  { teamId, baseUrl }: ScimCall,
  db: Database | Trx,
  { rows, projection }: { rows: readonly GroupRow[]; projection: Projection },
): Promise<object[]> {
  const asks = asksFor(projection, 'members');
  const members =
    asks && rows.length > 0
      ? await listMembers(
          db,
          teamId,
          rows.map(({ id }) => id),
        )
      : [];
  const byGroup = Map.groupBy(members, ({ group_id }) => group_id);
  return rows.map((row) =>
    project(toGroupResource(row, asks ? (byGroup.get(row.id) ?? []) : undefined, baseUrl), projection),
  );
}

/** Without a body if the caller has this version. */
export async function getGroup(call: ScimCall): Promise<ScimAnswer> {
  const { deps, teamId, request, reply, baseUrl } = call;
  const row = (await findGroup(deps.db, teamId, call.id)) ?? refuse('record.not_found');
  const resource = toGroupResource(row, undefined, baseUrl);
  reply.header('etag', resource.meta.version);
  if (hasVersion(request, resource)) return { status: 304 };
  const [body = {}] = await toResources(call, deps.db, { rows: [row], projection: readResourceQuery(request.query) });
  return { status: 200, body };
}

export async function postGroup(call: ScimCall): Promise<ScimAnswer> {
  const group = readGroup(call.request.body);
  return changeByScim(call, async (provisioning) => {
    const id = await addGroup(provisioning, group);
    return answerGroup(call, provisioning.trx, { id, status: 201 });
  });
}

export async function putGroup(call: ScimCall): Promise<ScimAnswer> {
  return changeGroup(call, readGroup(call.request.body), 200);
}

/** The group can be large, so the response contains it only if attributes are requested. */
export async function patchGroupCall(call: ScimCall): Promise<ScimAnswer> {
  const change = patchGroup(readOperations(call.request.body));
  const { attributes } = readResourceQuery(call.request.query);
  return changeGroup(call, change, attributes.size > 0 ? 200 : 204);
}

export async function deleteGroup(call: ScimCall): Promise<ScimAnswer> {
  return changeByScim(call, async (provisioning) => {
    await removeGroup(provisioning, await requireGroup(call, provisioning.trx));
    return { status: 204 };
  });
}

function changeGroup(call: ScimCall, change: GroupChange, status: 200 | 204): Promise<ScimAnswer> {
  return changeByScim(call, async (provisioning) => {
    const row = await requireGroup(call, provisioning.trx);
    await saveGroup(provisioning, row, change);
    return answerGroup(call, provisioning.trx, { id: row.id, status });
  });
}

async function requireGroup({ teamId, id, request, baseUrl }: ScimCall, trx: Trx): Promise<GroupRow> {
  const row = (await findGroup(trx, teamId, id)) ?? refuse('record.not_found');
  requireVersion(request, toGroupResource(row, undefined, baseUrl));
  return row;
}

async function answerGroup(
  call: ScimCall,
  trx: Trx,
  { id, status }: { id: string; status: number },
): Promise<ScimAnswer> {
  const row = (await findGroup(trx, call.teamId, id)) ?? refuse('record.not_found');
  const { meta } = toGroupResource(row, undefined, call.baseUrl);
  call.reply.header('location', meta.location).header('etag', meta.version);
  if (status === 204) return { status };
  const [body = {}] = await toResources(call, trx, { rows: [row], projection: readResourceQuery(call.request.query) });
  return { status, body };
}
