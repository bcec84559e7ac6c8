// What is done here: who may see a file asks what it is. Reads files and the memberships that open them; owns no table.

import { getFileInfo } from '@steward/contract/files';
import type { FastifyInstance } from 'fastify';
import type { Deps } from '#platform/deps.ts';
import { serve } from '#platform/http/http.ts';
import type { Access } from '#workspace/access/access.ts';
import { requireVisibleFile, serveDownload } from './download.routes.ts';
import { getContentType, getExtension } from './file-name.ts';

/** Serves the calls of the files room. */
export function filesRoutes(app: FastifyInstance, deps: Deps, access: Access): void {
  serve(app, getFileInfo, access.signedIn, async ({ params, who }) => {
    const file = await requireVisibleFile(deps, params.fileId, who);
    const extension = getExtension(file.name);
    return { ...file, extension, mime_type: getContentType(extension) };
  });

  serveDownload(app, deps, access);
}
