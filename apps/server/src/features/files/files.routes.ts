// Files: users who may view a file get its details and download it. Owns no table; reads files and channel memberships.

import { getFileInfo } from '@steward/contract/files';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { requireVisibleFile, serveDownload } from './download.routes.ts';
import { getContentType, getExtension } from './file-name.ts';

/** Registers the endpoints of files. */
export function filesRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getFileInfo, access.signedIn, async ({ params, who }) => {
    const file = await requireVisibleFile(deps, params.fileId, who);
    const extension = getExtension(file.name);
    return { ...file, extension, mime_type: getContentType(extension) };
  });

  serveDownload(app, deps, access);
}
