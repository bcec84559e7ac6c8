import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import type { Place } from '../integrations.queries.ts';
import { useDisable } from './connection.queries.ts';

interface DisableDialogProps {
  place: Place;
  name: string;
  domain: string | undefined;
  opened: boolean;
  onDisabled: () => void;
  onClose: () => void;
}

/** Confirms that the integration is to be disconnected. */
export function DisableDialog({ place, name, domain, opened, onDisabled, onClose }: DisableDialogProps) {
  const disable = useDisable(place);
  const account = domain === undefined || domain === '' ? name : `${domain}.zendesk.com`;
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={`Disable ${name}`}
      question={`Disable ${name}?`}
      detail={
        <>
          {domain ? (
            <>
              Tickets from <strong>{account}</strong> will no longer be posted. The webhook and triggers in {name} will
              be removed, and the saved credentials and channels deleted.
            </>
          ) : (
            'Nothing more will be posted. The saved credentials and channels will be deleted.'
          )}{' '}
          Posted messages and the delivery log are kept.
        </>
      }
      confirmLabel="Disable"
      danger
      pending={disable.isPending}
      onConfirm={() =>
        disable.mutate(undefined, {
          onSuccess: () => {
            onDisabled();
            showAlert({ kind: 'success', text: 'Disable Successfully' });
          },
          onError: ({ message }) => showAlert({ kind: 'error', text: message }),
          onSettled: onClose,
        })
      }
    />
  );
}
