// Files: users who may view a file get its details and download it. Owns no table; reads files and channel memberships.

import { getFileInfo } from '@steward/contract/files';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { refuse } from '#platform/http/errors.ts';
import { serve } from '#platform/http/http.ts';
import type { Access, SignedIn } from '#workspace/access/access.ts';
import { canViewFile } from './file-access.rules.ts';
import { contentDisposition, getContentType, getExtension } from './file-name.ts';
import { type FileAccessRow, findFile } from './files.store.ts';

/** Registers the endpoints of files. */
export function filesRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getFileInfo, access.signedIn, async ({ params, who }) => {
    const file = await requireVisibleFile(deps, params.fileId, who);
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
      const { blob, name, size } = await requireVisibleFile(deps, fileId, request.who as SignedIn);
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

/** The file, if the caller may view it; otherwise the same error as for a file that doesn't exist. */
async function requireVisibleFile(deps: Deps, fileId: string, who: SignedIn): Promise<FileAccessRow> {
  const file = /^[a-z0-9]{26}$/.test(fileId) ? await findFile(deps.db, fileId, who.personId) : undefined;
  if (!file || !canViewFile(file, who.personId)) refuse('record.not_found');
  return file;
}
