import { z } from 'zod';
import { endpoint } from './api/endpoint.ts';
import { Id } from './api/fields.ts';

/** A file in Mattermost's format; times are milliseconds since 1970. */
export const FileInfo = z.object({
  id: Id,
  user_id: z.string(),
  /** '' outside any channel. */
  channel_id: z.string(),
  /** The post it is attached to; '' if none. */
  post_id: z.string(),
  create_at: z.int(),
  update_at: z.int(),
  delete_at: z.int(),
  name: z.string(),
  /** Extension of the name, in lower case; '' without one. */
  extension: z.string(),
  size: z.int(),
  mime_type: z.string(),
});
export type FileInfo = z.infer<typeof FileInfo>;

/**
 * Details of a file. A file in a channel is visible to those who can read the channel, a file outside any channel to its
 * owner and the admins of the team. The file itself is served at `/files/{id}`, without `info`.
 */
export const getFileInfo = endpoint({
  name: 'getFileInfo',
  method: 'GET',
  path: '/files/:fileId/info',
  summary: 'Get the details of a file. The file itself is at the same path without /info.',
  params: z.object({ fileId: z.string() }),
  answer: FileInfo,
});
