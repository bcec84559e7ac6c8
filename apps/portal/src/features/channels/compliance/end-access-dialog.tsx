import type { ComplianceAccess } from '@steward/contract/channels/compliance';
import type { Failure } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import { useEndAccess } from './compliance.queries.ts';

interface EndAccessDialogProps {
  teamId: string;
  access: ComplianceAccess;
  opened: boolean;
  onClose: () => void;
}

/** Confirms that access ends early. */
export function EndAccessDialog({ teamId, access, opened, onClose }: EndAccessDialogProps) {
  const end = useEndAccess(teamId, access);
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="End Access"
      question="End this access now?"
      detail={
        <>
          <strong>
            <bdi>{access.user_name}</bdi>
          </strong>{' '}
          will no longer be able to read{' '}
          {access.channel_type === 'D' ? 'the direct channel' : <bdi>{access.channel_name}</bdi>}. A message in the
          channel says so.
        </>
      }
      confirmLabel="End Access"
      danger
      pending={end.isPending}
      onConfirm={() =>
        end.mutate(undefined, {
          onSuccess: () => showAlert({ kind: 'success', text: 'Saved Successfully' }),
          onError: (failure) => showAlert({ kind: 'error', text: getText(failure) }),
          onSettled: onClose,
        })
      }
    />
  );
}

function getText({ id, message }: Failure): string {
  return id === 'record.not_found' ? 'This access has already ended.' : message;
}
