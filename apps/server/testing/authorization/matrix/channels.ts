import { newId } from '#platform/database/ids.ts';
import type { Sending } from '#testing/app/call.ts';
import type { Actor, Column, Matrix, MatrixRow, World } from '../actors.ts';
import { ADMINS, forAdmins, forOwners, NOT_FOUND } from './rows.ts';

/** All members of the team except integration users; other users get the error for an unknown channel. */
const TEAM: Record<Column, number> = { OUT: 401, TU: 200, ZD: 403, XA: 404, TA: 200, TO: 200 };
/** Members of the public channel and admins; other members of the team get 403. */
const JOINED = { ...TEAM, TU: 403 };
/** Only members of the private or direct channel: admins and owners get 403 like any other member of the team. */
const MEMBERS = { ...TEAM, TU: 403, TA: 403, TO: 403 };
/** A file that the caller may not view is unknown to them. */
const FILE = { ...TEAM, ZD: 404 };

type Send = (channelId: string, world: World, me: Actor) => Sending;

/** One row for each kind of channel with its own rules. */
function aboutChannels(send: Send, success = 200): MatrixRow[] {
  const row = (
    about: string,
    expected: Record<Column, number>,
    getChannelId: (world: World, me: Actor) => unknown,
  ) => ({
    about,
    expected: Object.fromEntries(
      Object.entries(expected).map(([column, status]) => [column, status === 200 ? success : status]),
    ) as Record<Column, number>,
    send: async (world: World, me: Actor) => send((await getChannelId(world, me)) as string, world, me),
  });
  return [
    row('in general', TEAM, (world) => world.generalId),
    // A membership row doesn't give access to users of other teams or Zendesk users.
    row('in a private channel that they joined', TEAM, (world, me) => world.createFreshChannel('P', [me.id])),
    row('in a private channel of others', MEMBERS, (world) => world.createFreshChannel('P', [world.memberId])),
    row('in a public channel of others', JOINED, (world) => world.createFreshChannel('O', [world.memberId])),
    row('in a conversation of others', MEMBERS, (world) => world.createFreshChannel('D', [world.memberId])),
    row('in an unknown channel', NOT_FOUND, () => newId()),
  ];
}

const fileRow = (about: string, expected: Record<Column, number>, toFile: NonNullable<FileFor>): MatrixRow => ({
  about,
  expected,
  send: async (world, me) => ({ params: { fileId: await toFile(world, me) } }),
});
type FileFor = (world: World, me: Actor) => string | Promise<string>;

const toDefaults = (world: World, ids: string[] = []) => ({ body: { default_channels: [world.generalId, ...ids] } });
/** Admins of the team, but the channel can't be chosen. */
const WRONG = { ...ADMINS, TA: 400, TO: 400 };

const inChannel = async (world: World, body?: object): Promise<Sending> => ({
  params: { channelId: await world.createFreshChannel('P', [world.memberId]) },
  ...(body === undefined ? {} : { body }),
});
/** The member can already see the channel, which makes no difference to a grant. */
const toGrant = (world: World) => ({ user_id: world.memberId, hours: 1, reason: 'An investigation' });
/** Admins of the team, but the channel is unknown. */
const NOT_THERE = { ...ADMINS, TA: 403, TO: 404 };

/** Owners map groups to public channels, and to private ones that they are in. */
function groupRows(): MatrixRow[] {
  const row = (about: string | undefined, toChannel: (world: World, me: Actor) => Promise<string>, status = 200) =>
    forOwners(
      async (world, me) => ({
        body: { group_id: await world.createScimGroup(), channel_ids: [await toChannel(world, me)] },
      }),
      {
        ...(about !== undefined && { about }),
        ...(status !== 200 && { expected: { ...ADMINS, TA: 403, TO: status } }),
      },
    );
  return [
    row(undefined, (world) => world.createFreshChannel('O', [])),
    row('to a private channel of their own', (world, me) => world.createFreshChannel('P', [me.id])),
    row('to a private channel of others', (world) => world.createFreshChannel('P', [world.memberId]), 400),
    row('to a direct channel', (world, me) => world.createFreshChannel('D', [me.id]), 400),
    row('to an unknown channel', async () => newId(), 400),
    forOwners(() => ({ body: { group_id: newId(), channel_ids: [] } }), {
      about: 'of an unknown group',
      expected: NOT_THERE,
    }),
  ];
}

const complianceRows: Matrix = {
  listTeamComplianceAccess: [forOwners()],
  listComplianceAccess: [
    forOwners((world) => inChannel(world)),
    forOwners(() => ({ params: { channelId: newId() } }), { about: 'of an unknown channel', expected: NOT_THERE }),
  ],
  grantComplianceAccess: [
    forOwners((world) => inChannel(world, toGrant(world))),
    forOwners((world) => ({ params: { channelId: newId() }, body: toGrant(world) }), {
      about: 'to an unknown channel',
      expected: NOT_THERE,
    }),
  ],
  endComplianceAccess: [
    forOwners(async (world) => ({
      params: { channelId: await world.createComplianceAccess() },
      query: { user_id: world.memberId },
    })),
    forOwners(
      async (world) => ({
        ...(await inChannel(world)),
        query: { user_id: world.memberId },
      }),
      { about: 'that nobody has', expected: NOT_THERE },
    ),
  ],
};

export const channelRows: Matrix = {
  getChannel: aboutChannels((channelId) => ({ params: { channelId } })),
  getChannelMember: [
    {
      about: 'in general',
      expected: TEAM,
      send: (world) => ({ params: { channelId: world.generalId, userId: world.memberId } }),
    },
    ...aboutChannels((channelId, world) => ({
      params: { channelId, userId: world.memberId },
    })).slice(2),
    {
      about: 'about an unknown user',
      expected: { ...NOT_FOUND, ZD: 403 },
      send: (world) => ({ params: { channelId: world.generalId, userId: newId() } }),
    },
  ],
  listPosts: aboutChannels((channelId) => ({ params: { channelId } })),
  listTeamChannels: [forAdmins()],
  getDefaultChannels: [forAdmins()],
  saveDefaultChannels: [
    forAdmins((world) => toDefaults(world)),
    forAdmins((world) => toDefaults(world, [newId()]), { about: 'with an unknown channel', expected: WRONG }),
    forAdmins(async (world) => toDefaults(world, [await world.createFreshChannel('P', [world.memberId])]), {
      about: 'with a private channel of others',
    }),
    forAdmins(async (world, me) => toDefaults(world, [await world.createFreshChannel('D', [me.id])]), {
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
    fileRow('in general', FILE, (world) => world.createFreshFile({ channelId: world.generalId })),
    fileRow('in a channel that they joined', FILE, async (world, me) =>
      world.createFreshFile({ channelId: await world.createFreshChannel('P', [me.id]) }),
    ),
    fileRow('in a public channel of others', { ...FILE, TU: 404 }, async (world, me) =>
      world.createFreshFile({ channelId: await world.createFreshChannel('O', [world.memberId]), userId: me.id }),
    ),
    fileRow('in a private channel of others', { ...FILE, TU: 404, TA: 404, TO: 404 }, async (world, me) =>
      world.createFreshFile({ channelId: await world.createFreshChannel('P', [world.memberId]), userId: me.id }),
    ),
    fileRow('of their own', FILE, (world, me) => world.createFreshFile({ userId: me.id })),
    fileRow('of another', { ...FILE, TU: 404 }, (world) => world.createFreshFile({ userId: world.memberId })),
    fileRow('that does not exist', NOT_FOUND, () => newId()),
  ],
};
