import { z } from 'zod';
import { text } from '../api/fields.ts';

/** Id that another server gave to a user, team, channel, message or file. */
export const ExternalId = z.string().regex(/^[A-Za-z0-9_.:@!$-]{1,128}$/, 'is not an id of a connected server');
export type ExternalId = z.infer<typeof ExternalId>;

/** A user or channel of a connected server, as `<connection id>/<external id>`. */
export const ConnectedId = z
  .string()
  .regex(/^[a-z0-9]{26}\/[A-Za-z0-9_.:@!$-]{1,128}$/, 'is not an id of a connected server');

/** Public, private, direct with two users, group with up to eight. */
export const ConnectedChannelType = z.enum(['O', 'P', 'D', 'G']);
export type ConnectedChannelType = z.infer<typeof ConnectedChannelType>;

/**
 * The reason for which nothing is deleted in a channel. `slow`: reading all of it takes over an hour. `refused`: the server refuses to list it.
 * '' if messages in it can be deleted.
 */
export const ReadOnly = z.enum(['', 'slow', 'refused']);
export type ReadOnly = z.infer<typeof ReadOnly>;

/** The kinds of messages that have a rule of their own. */
export const CONNECTED_KINDS = ['public_channels', 'private_channels', 'direct_messages'] as const;
export const ConnectedKind = z.enum(CONNECTED_KINDS);
export type ConnectedKind = z.infer<typeof ConnectedKind>;

export const KIND_OF_CONNECTED_CHANNEL: Readonly<Record<ConnectedChannelType, ConnectedKind>> = {
  O: 'public_channels',
  P: 'private_channels',
  D: 'direct_messages',
  G: 'direct_messages',
};

/** Actions that Steward asks a connected server for. */
export const WorkAction = z.enum([
  'revoke_sessions',
  'send_password_reset',
  'deactivate',
  'reactivate',
  'remove_from_team',
  'add_to_channels',
]);
export type WorkAction = z.infer<typeof WorkAction>;

/**
 * Why a message was kept. `held`: a legal hold. `thread`: another message of its thread is kept. `changed`: it changed after the
 * order. `young`: it isn't old enough anymore. `residue`: the server can't delete it completely. `absent`: it was gone before.
 * `unverified`: its deletion was begun, and the server didn't say whether it still exists. `read_only`: its channel can only be
 * read.
 */
export const KeptReason = z.enum([
  'held',
  'thread',
  'changed',
  'young',
  'residue',
  'absent',
  'unverified',
  'read_only',
]);
export type KeptReason = z.infer<typeof KeptReason>;

/** A sentence that a bridge reports. */
export const Sentence = text(300);

/** One thing that was checked at a connected server. */
export const CheckRow = z.object({ name: text(100), passed: z.boolean(), detail: Sentence });
export type CheckRow = z.infer<typeof CheckRow>;

/** State of an order. `refused`: it was never opened. `stopped`: it was ended before all of its messages were handled. */
export const OrderState = z.enum(['open', 'done', 'stopped', 'refused']);
export type OrderState = z.infer<typeof OrderState>;
