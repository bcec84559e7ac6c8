// Files: users who may view a file get its details and download it. Owns no table; reads files, channel memberships and
// compliance access.

import { isId } from '@steward/contract/api/fields';
import { getFileInfo } from '@steward/contract/files';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { getOrigin, type Origin, serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { recordComplianceReading } from '#workspace/access/enter-channel.ts';
import { enterTeam, opensTeam, type SignedIn } from '#workspace/access/enter-team.ts';
import { getFileReading } from './file-access.rules.ts';
import { contentDisposition, getContentType, getExtension } from './file-name.ts';
import { type FileAccessRow, findFile } from './files.store.ts';

export function filesRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getFileInfo, access.signedIn, async ({ params, who, origin }) => {
    const file = await openFile(deps, params.fileId, { who, origin });
    const extension = getExtension(file.name);
    return { ...file, extension, mime_type: getContentType(extension) };
  });

  serveDownload(app, deps, access);
}

/** Serves a file as a download: no browser renders it, whatever its name or content. */
function serveDownload(app: FastifyInstance, deps: Deps, access: Access): void {
  app.get('/api/v4/files/:fileId', {
    config: { endpoint: 'getFile' },
    // Without compression: most files are compressed already, and the length stays known.
    compress: false,
    onRequest: async (request) => {
      request.who = await access.signedIn(request);
    },
    handler: async (request, reply) => {
      const { fileId } = request.params as { fileId: string };
      const caller = { who: request.who as SignedIn, origin: getOrigin(request) };
      const { blob, name, size } = await openFile(deps, fileId, caller);
      const content = blob === null ? undefined : await deps.blobs.get(blob);
      if (!content) refuse('record.not_found');
      return reply
        .header('content-disposition', contentDisposition(name))
        .header('content-length', size)
        .type('application/octet-stream')
        .send(content);
    },
  });
}

/**
 * The file, if the caller may view it; otherwise the same error as for a file that doesn't exist. Viewing it by compliance
 * access is recorded.
 */
async function openFile(
  deps: Deps,
  fileId: string,
  { who, origin }: { who: SignedIn; origin: Origin },
): Promise<FileAccessRow> {
  const file = isId(fileId) ? await findFile(deps.db, fileId, who.userId) : undefined;
  const reading = file && getFileReading(file, who.userId);
  if (!file || !reading || !opensTeam(who, file.team_id)) refuse('record.not_found');
  await enterTeam(deps.db, who, { teamId: file.team_id, roles: file.roles ?? [] });
  if (reading === 'compliance') {
    const where = { teamId: file.team_id, channelId: file.channel_id, userId: who.userId };
    await recordComplianceReading(deps, { ...where, read: { file_id: file.id } }, origin);
  }
  return file;
}
