import type { RetentionKind } from '@steward/contract/retention/fields';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { TestApp } from '#testing/app/start-app.ts';
import { addHold } from '#workspace/content/holds/holds.store.ts';

/** Covers the whole team by default. Returns the id. */
export async function legalHold(
  node: TestApp,
  options: {
    teamId: string;
    name?: string;
    userIds?: readonly string[];
    channelIds?: readonly string[];
    connectedUserIds?: readonly string[];
    connectedChannelIds?: readonly string[];
    settings?: readonly RetentionKind[];
    from?: number;
    to?: number;
  },
): Promise<string> {
  const { teamId, name = 'Dispute', userIds = [], channelIds = [], settings = [], from = null, to = null } = options;
  const id = newId();
  const { connectedUserIds: connected_user_ids = [], connectedChannelIds: connected_channel_ids = [] } = options;
  const lists = { user_ids: userIds, channel_ids: channelIds, connected_user_ids, connected_channel_ids };
  const scope = { ...lists, settings, from, to };
  await inTransaction(node.db, (trx) =>
    addHold(trx, { teamId, id, createdBy: null }, { name, reason: 'Case 12', ...scope }),
  );
  return id;
}
