import { mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isRoot, systemUsers } from '@steward/embedded-postgres/user.ts';
import { parseFilesUrl } from '#platform/blobs/files-url.ts';

/**
 * Refuses to work as another user than the server: the server couldn't read or replace the files that this process creates, such
 * as archives of retention runs, and would fail later.
 */
export function refuseOtherOwner(dataDir: string, filesUrl: string | undefined): void {
  const own = process.getuid?.();
  if (own === undefined) return;
  const files = filesUrl === undefined ? undefined : parseFilesUrl(filesUrl);
  const created = [join(dataDir, 'secret-key'), join(dataDir, 'files')];
  // A mounted volume can belong to root while the server may write there through its group.
  const given = isRoot() ? [dataDir, ...(files?.kind === 'directory' ? [files.location] : [])] : [];
  for (const path of [...created, ...given]) {
    const owner = statSync(path, { throwIfNoEntry: false })?.uid;
    if (owner === undefined || owner === own || getOwnerOfNew(path === created[0] ? dataDir : path) === owner) continue;
    const name = systemUsers().find(({ uid }) => uid === owner)?.name ?? `#${owner}`;
    throw new Error(
      `${path} belongs to the user ${name}, who couldn't use what this process creates there. Run it as that user: sudo --user=${name} …`,
    );
  }
}

/** Some network file systems give all files to one user, whoever creates them. Undefined if nothing can be created. */
function getOwnerOfNew(directory: string): number | undefined {
  try {
    const probe = mkdtempSync(join(directory, '.owner-'));
    const { uid } = statSync(probe);
    rmdirSync(probe);
    return uid;
  } catch {
    return undefined;
  }
}
