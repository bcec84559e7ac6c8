// What the bridge reads of Mattermost's answers. Fields that it doesn't need are dropped here, texts first of all.
import { z } from 'zod';

export const Id = z.string().regex(/^[a-z0-9]{26}$/);
/** References are empty if there is none. */
const Reference = z.union([Id, z.literal('')]);

/** The property that marks what a rehearsal wrote. Earlier versions of a message have the properties of the message. */
export const REHEARSED = 'retention_rehearsal';

/** A message without its text. Earlier versions of a message are rows of their own, with `original_id`. */
export const Row = z
  .object({
    id: Id,
    channel_id: Id,
    user_id: Reference,
    root_id: Reference,
    original_id: Reference,
    create_at: z.number(),
    update_at: z.number(),
    edit_at: z.number(),
    delete_at: z.number(),
    type: z.string(),
    message: z.string(),
    props: z.object({ [REHEARSED]: z.unknown().optional() }).nullish(),
    file_ids: z.array(Id).nullish(),
    reply_count: z.number(),
    metadata: z.object({ files: z.array(z.object({ id: Id, size: z.number() })).optional() }).nullish(),
  })
  .transform(({ message, metadata, file_ids, props, ...row }) => {
    // The server withholds text and sizes of deleted rows and versions, so nothing is known of them then.
    const isWithheld = row.delete_at > 0;
    return {
      ...row,
      isRehearsed: props?.[REHEARSED] === 'true',
      size: isWithheld ? null : Buffer.byteLength(message),
      file_ids: file_ids ?? [],
      files: isWithheld ? null : (metadata?.files ?? []).map(({ id, size }) => ({ id, size })),
    };
  });
export type Row = z.output<typeof Row>;

export const RowList = z
  .object({ order: z.array(Id), posts: z.record(z.string(), Row) })
  .transform(({ order, posts }) => order.flatMap((id) => posts[id] ?? []));

export const Person = z.object({
  id: Id,
  username: z.string(),
  email: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  position: z.string(),
  roles: z.string(),
  delete_at: z.number(),
  is_bot: z.boolean().default(false),
});
export type Person = z.output<typeof Person>;

export const Bot = z.object({ user_id: Id, owner_id: z.string(), delete_at: z.number() });

/** A personal token, without its secret, which the server never shows again. */
export const Token = z.object({ id: Id, is_active: z.boolean() });

/** `email` is the address of the account that created the team. */
export const Team = z.object({ id: Id, name: z.string(), email: z.string(), delete_at: z.number() });
export type Team = z.output<typeof Team>;
export const TeamList = z.object({ teams: z.array(Team) }).transform(({ teams }) => teams);

export const TeamMember = z.object({ team_id: Id, user_id: Id, scheme_admin: z.boolean(), delete_at: z.number() });

export const Channel = z.object({
  id: Id,
  /** Empty for direct and group messages. */
  team_id: Reference,
  type: z.enum(['O', 'P', 'D', 'G']),
  name: z.string(),
  display_name: z.string(),
  delete_at: z.number(),
});
export type Channel = z.output<typeof Channel>;
export const ChannelList = z.object({ channels: z.array(Channel) }).transform(({ channels }) => channels);

export const ChannelMember = z.object({ channel_id: Id, user_id: Id, scheme_admin: z.boolean() });

export const Ping = z.object({ database_status: z.string().optional(), filestore_status: z.string().optional() });
export const ClientConfig = z.object({ Version: z.string() });
export const License = z.object({ IsLicensed: z.string() });

/** Only three settings of the configuration are read. */
export const Config = z.object({
  ServiceSettings: z.object({ EnableAPIPostDeletion: z.boolean().optional() }),
  TeamSettings: z.object({ ExperimentalViewArchivedChannels: z.boolean().default(true) }),
  RateLimitSettings: z.object({ Enable: z.boolean().default(false) }).default({ Enable: false }),
});

/** A server that hides old messages says so here. */
export const Limits = z.object({ postHistoryLimit: z.number().optional() });

export const RetentionPolicy = z.object({ message_deletion_enabled: z.boolean(), file_deletion_enabled: z.boolean() });
export const RetentionPolicies = z.object({ total_count: z.number() });

export const Upload = z.object({ file_infos: z.array(z.object({ id: Id })).min(1) });
export const Done = z.object({ status: z.literal('OK') });
export const Exists = z.object({ id: Id });
export const ErrorBody = z.object({ id: z.string() });
