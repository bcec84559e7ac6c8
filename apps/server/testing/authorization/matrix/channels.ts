import { addGroup } from '#features/scim/groups/groups.store.ts';
import { inTransaction } from '#platform/database/database.ts';
import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import { channel, complianceAccess, file } from '#testing/workspace/content.ts';
import type { Actor, Matrix, MatrixRow, Statuses, World } from '../actors.ts';
import {
  ADMINS,
  about,
  type Find,
  forAdmins,
  forOwners,
  memberId,
  NOT_FOUND,
  OWNERS,
  ownersAbout,
  row,
  UNKNOWN_TO_OWNERS,
  unknownId,
} from './rows.ts';

const newChannel = async ({ node, teamId }: World, type: 'O' | 'P' | 'D', members: string[]) =>
  (await channel(node, teamId, { type, members })).id;
const ofOthers = (type: 'O' | 'P' | 'D') => (world: World) => newChannel(world, type, [world.member.id]);
const own = (type: 'O' | 'P' | 'D') => (world: World, me: Actor) => newChannel(world, type, [me.id]);

/** All members of the team except integration users; other users get the error for an unknown channel. */
const TEAM: Statuses = { OUT: 401, TU: 200, ZD: 403, XA: 404, TA: 200, TO: 200 };
/** Members of the public channel and admins; other members of the team get 403. */
const JOINED = { ...TEAM, TU: 403 };
/** Only members of the private or direct channel: admins and owners get 403 like any other member of the team. */
const MEMBERS = { ...TEAM, TU: 403, TA: 403, TO: 403 };
/** A file that the caller may not view is unknown to them. */
const FILE = { ...TEAM, ZD: 404 };

type Send = (channelId: string, world: World, me: Actor) => Sending;

/** One row for each kind of channel with its own rules. */
function aboutChannels(send: Send, success = 200): MatrixRow[] {
  const ofChannel = (about: string, expected: Statuses, find: Find): MatrixRow => ({
    about,
    expected: Object.fromEntries(
      Object.entries(expected).map(([column, status]) => [column, status === 200 ? success : status]),
    ) as Statuses,
    send: async (world, me) => send(await find(world, me), world, me),
  });
  return [
    ofChannel('in general', TEAM, ({ general }) => general.id),
    // A membership row doesn't give access to users of other teams or Zendesk users.
    ofChannel('in a private channel that they joined', TEAM, own('P')),
    ofChannel('in a private channel of others', MEMBERS, ofOthers('P')),
    ofChannel('in a public channel of others', JOINED, ofOthers('O')),
    ofChannel('in a conversation of others', MEMBERS, ofOthers('D')),
    ofChannel('in an unknown channel', NOT_FOUND, unknownId),
  ];
}

const toMe: Find = (_world, me) => me.id;

/** A file of a user in a channel, if they are found. */
function fileRow(name: string, expected: Statuses, find: { channelId?: Find; userId?: Find }): MatrixRow {
  const send = about('fileId', async (world, me) => {
    const place = find.channelId && { channel: { id: await find.channelId(world, me) } };
    return (await file(world.node, world.teamId, { ...place, userId: (await find.userId?.(world, me)) ?? '' })).id;
  });
  return { about: name, expected, send };
}

const toDefaults = ({ general }: World, ids: string[] = []) => ({ body: { default_channels: [general.id, ...ids] } });
const WRONG = { ...ADMINS, TA: 400, TO: 400 };

/** The member can already see the channel, which makes no difference to a grant. */
const toGrant = ({ member }: World) => ({ body: { user_id: member.id, hours: 1, reason: 'An investigation' } });
const toMember = ({ member }: World) => ({ query: { user_id: member.id } });

/** Owners map groups to public channels, and to private ones that they are in. */
function groupRows(): MatrixRow[] {
  const send: (find: Find) => NonNullable<MatrixRow['send']> = (find) => async (world, me) => {
    const group = { teamId: world.teamId, displayName: 'Engineering', externalId: null };
    const group_id = await inTransaction(world.node.db, (trx) => addGroup(trx, group));
    return { body: { group_id, channel_ids: [await find(world, me)] } };
  };
  const refused = { ...OWNERS, TO: 400 };
  return [
    forOwners(send((world) => newChannel(world, 'O', []))),
    forOwners(send(own('P')), { about: 'to a private channel of their own' }),
    forOwners(send(ofOthers('P')), { about: 'to a private channel of others', expected: refused }),
    forOwners(send(own('D')), { about: 'to a direct channel', expected: refused }),
    forOwners(send(unknownId), { about: 'to an unknown channel', expected: refused }),
    forOwners(() => ({ body: { group_id: newId(), channel_ids: [] } }), UNKNOWN_TO_OWNERS),
  ];
}

/** A private channel that the member may read with compliance access. */
async function readByMember({ node, teamId, member }: World): Promise<string> {
  const { id: channelId } = await channel(node, teamId, { type: 'P' });
  await complianceAccess(node, teamId, { channelId, userId: member.id });
  return channelId;
}

const complianceRows: Matrix = {
  listTeamComplianceAccess: [forOwners()],
  listComplianceAccess: ownersAbout('channelId', ofOthers('P')),
  grantComplianceAccess: ownersAbout('channelId', ofOthers('P'), toGrant),
  endComplianceAccess: [
    forOwners(about('channelId', readByMember, toMember)),
    forOwners(about('channelId', ofOthers('P'), toMember), { ...UNKNOWN_TO_OWNERS, about: 'that was not granted' }),
  ],
};

export const channelRows: Matrix = {
  getChannel: aboutChannels((channelId) => ({ params: { channelId } })),
  getChannelMember: [
    ...aboutChannels((channelId, { member }) => ({ params: { channelId, userId: member.id } })).toSpliced(1, 1),
    row('about an unknown user', { ...NOT_FOUND, ZD: 403 }, ({ general }) => ({
      params: { channelId: general.id, userId: newId() },
    })),
  ],
  listPosts: aboutChannels((channelId) => ({ params: { channelId } })),
  listTeamChannels: [forAdmins()],
  getDefaultChannels: [forAdmins()],
  saveDefaultChannels: [
    forAdmins(async (world) => toDefaults(world, [await newChannel(world, 'O', [])])),
    forAdmins((world) => toDefaults(world, [newId()]), { about: 'with an unknown channel', expected: WRONG }),
    forAdmins(async (world) => toDefaults(world, [await ofOthers('P')(world)]), {
      about: 'with a private channel of others',
    }),
    forAdmins(async (world, me) => toDefaults(world, [await own('D')(world, me)]), {
      about: 'with a direct channel',
      expected: WRONG,
    }),
  ],
  previewDefaultChannels: [
    forAdmins((world) => toDefaults(world)),
    forAdmins((world) => toDefaults(world, [newId()]), { about: 'with an unknown channel', expected: WRONG }),
  ],
  listChannelGroups: [forOwners()],
  previewChannelGroup: groupRows(),
  saveChannelGroup: groupRows(),
  getChannelJoin: [forAdmins()],
  ...complianceRows,
  addPost: aboutChannels((channel_id) => ({ body: { channel_id, message: 'Good morning' } }), 201),
  getFileInfo: [
    fileRow('in general', FILE, { channelId: ({ general }) => general.id }),
    fileRow('in a channel that they joined', FILE, { channelId: own('P') }),
    fileRow('in a public channel of others', { ...FILE, TU: 404 }, { channelId: ofOthers('O'), userId: toMe }),
    fileRow(
      'in a private channel of others',
      { ...FILE, TU: 404, TA: 404, TO: 404 },
      { channelId: ofOthers('P'), userId: toMe },
    ),
    fileRow('of their own', FILE, { userId: toMe }),
    fileRow('of another', { ...FILE, TU: 404 }, { userId: memberId }),
    row('that does not exist', NOT_FOUND, about('fileId', unknownId)),
  ],
};
