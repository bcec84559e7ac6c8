import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';

/** A file in Mattermost's shape; instants are milliseconds since 1970 (design §3). */
export const FileInfo = z.object({
  id: Id,
  user_id: z.string(),
  /** '' outside any channel. */
  channel_id: z.string(),
  /** The post that has it; '' when none has. */
  post_id: z.string(),
  create_at: z.int(),
  update_at: z.int(),
  delete_at: z.int(),
  name: z.string(),
  /** What stands behind the last dot of the name, in small letters; '' without one. */
  extension: z.string(),
  size: z.int(),
  mime_type: z.string(),
});
export type FileInfo = z.infer<typeof FileInfo>;

/**
 * What a file is. One in a channel is for those who may read the channel, one outside for its owner and the admins of the
 * team. The file itself is served at `/files/{id}`, without `info`.
 */
export const getFileInfo = endpoint({
  name: 'getFileInfo',
  method: 'GET',
  path: '/files/:fileId/info',
  summary: 'What a file is. The file itself lies at the same address without /info.',
  params: z.object({ fileId: z.string() }),
  answer: FileInfo,
});
