import { listUsers } from '@steward/contract/users';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { refetchListsFromStart } from '#platform/tables/cached-lists.ts';
import { UploadButton } from '#platform/upload/upload-button.tsx';

const ImportDialog = lazyComponent(async () => (await import('./import-dialog.tsx')).ImportDialog);

/** The button that opens the import of users. */
export function ImportUsers({ teamId }: { teamId: string }) {
  const client = useQueryClient();
  const button = useRef<HTMLButtonElement>(null);
  return (
    <UploadButton
      ref={button}
      label="Import CSV"
      isIconOnPhone
      command="import users"
      dialog={ImportDialog}
      teamId={teamId}
      onChanged={() => void refetchListsFromStart(client, { endpoint: listUsers, teamId })}
    />
  );
}
