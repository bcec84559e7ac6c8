import { useMutation, useQuery } from '@tanstack/react-query';
import { getFailureMessage } from '#platform/api/failure.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showAlert } from '#platform/feedback/alerts.tsx';
import type { Place } from '../integrations.queries.ts';
import { failedCountQueryOptions, redeliverFailedMutation } from './deliveries.queries.ts';
import { formatStarted, redeliverQuestion } from './delivery-text.ts';

interface RedeliverAllDialogProps {
  place: Place;
  opened: boolean;
  onClose: () => void;
}

/** Confirms retrying all failed deliveries, with their number. */
export function RedeliverAllDialog({ place, opened, onClose }: RedeliverAllDialogProps) {
  const failed = useQuery(failedCountQueryOptions(place, 'failed'));
  const partly = useQuery(failedCountQueryOptions(place, 'partly'));
  const redeliver = useMutation(redeliverFailedMutation);
  const error = failed.error ?? partly.error;
  const confirm = () =>
    redeliver.mutate(
      { params: { ...place } },
      {
        onSuccess: ({ deliveries }) => showAlert({ kind: 'success', text: formatStarted(deliveries) }),
        onError: ({ message }) => showAlert({ kind: 'error', text: message }),
        onSettled: onClose,
      },
    );
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title="Redeliver all failed"
      question={redeliverQuestion(failed.data, partly.data)}
      detail={
        <>
          {error !== null && <>Couldn't count the failed deliveries: {getFailureMessage(error)} </>}
          They'll be posted in their original order with the current time. Channels that already received them are
          skipped.
        </>
      }
      confirmLabel="Redeliver"
      pending={redeliver.isPending}
      onConfirm={confirm}
    />
  );
}
