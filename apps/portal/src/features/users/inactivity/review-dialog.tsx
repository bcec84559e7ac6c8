import { Alert, Button, Group, Loader, ScrollArea, Stack, Text } from '@mantine/core';
import { type InactivityPreview, type InactivityRule, previewInactivity } from '@steward/contract/users/inactivity';
import { useQuery } from '@tanstack/react-query';
import type { CSSProperties } from 'react';
import { getFailureMessage } from '#platform/api/failure.ts';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { type PlainColumn, PlainTable } from '#platform/tables/plain-table.tsx';
import { formatDay, formatNumber } from '#platform/time/format.ts';
import { saving } from './inactivity.queries.ts';
import { describeUsers } from './night-text.ts';

interface ReviewDialogProps {
  teamId: string;
  rule: InactivityRule;
  onClose: () => void;
  onSaved: (rule: InactivityRule) => void;
}

/** Shows whom the rule would touch. Cancel has the focus, so that an accidental Enter does nothing. */
export function ReviewDialog({ teamId, rule, onClose, onSaved }: ReviewDialogProps) {
  const { data, error, isFetching } = useQuery({
    ...queryOptionsFor(previewInactivity, { params: { teamId }, body: rule }),
    enabled: rule.is_on,
    staleTime: 0,
    gcTime: 0,
  });
  const save = useChangeWithKey(saving);
  const confirm = () =>
    save.mutate(
      { params: { teamId }, body: rule },
      {
        onSuccess: (saved) => {
          showSuccess('Saved Successfully');
          onSaved(saved.rule);
        },
        onError: showFailure,
      },
    );
  return (
    <Dialog opened onClose={onClose} title="Inactivity Rule" width={720} closable={!save.isPending}>
      {!rule.is_on && <Text>Nobody is warned or deactivated anymore. Warnings that were sent are withdrawn.</Text>}
      {rule.is_on && data !== undefined && <Preview preview={data} />}
      {rule.is_on && data === undefined && isFetching && (
        <Group role="status" gap="xs" c="dimmed">
          <Loader size={16} aria-hidden="true" /> Looking for inactive members…
        </Group>
      )}
      {rule.is_on && data === undefined && !isFetching && error !== null && (
        <Alert color="red" variant="light" role="alert">
          Couldn’t say whom the rule would touch: {getFailureMessage(error)} Nothing was saved.
        </Alert>
      )}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={save.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={rule.is_on && data === undefined}
          loading={save.isPending}
          onKeyDown={ignoreRepeat}
          onClick={confirm}
        >
          Save
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function Preview({ preview: { members, nights, warned, deactivated } }: { preview: InactivityPreview }) {
  if (nights.length === 0)
    return (
      <Text>Of {formatNumber(members)} members, nobody would be warned or deactivated in the next 60 nights.</Text>
    );
  return (
    <Stack gap="sm" className="figures">
      <Text>
        Of {formatNumber(members)} members, the next 60 nights would warn {formatNumber(warned)} and deactivate{' '}
        {formatNumber(deactivated)}, if none of them is active until then.
      </Text>
      {/* The head of the table sticks to the top of this area, not below the header of the page. */}
      <ScrollArea.Autosize
        mah="45dvh"
        type="auto"
        style={{ '--header-height': '0px' } as CSSProperties}
        viewportProps={{ tabIndex: 0, 'aria-label': 'The next 60 nights' }}
      >
        <PlainTable
          label="What the next nights would do"
          columns={COLUMNS}
          rows={nights}
          rowId={({ night }) => night}
        />
      </ScrollArea.Autosize>
    </Stack>
  );
}

type PreviewNight = InactivityPreview['nights'][number];

const COLUMNS: readonly PlainColumn<PreviewNight>[] = [
  {
    id: 'night',
    header: 'Night',
    width: 'minmax(0, 1.4fr)',
    cell: ({ night, asks }) => (
      <>
        {formatDay(night)}
        {asks && (
          <Text display="block" c="dimmed" fz="0.8125rem">
            Asks an owner first
          </Text>
        )}
      </>
    ),
  },
  toColumn('warned', 'Warned'),
  toColumn('reminded', 'Warned again'),
  toColumn('deactivated', 'Deactivated'),
];

function toColumn(id: 'warned' | 'reminded' | 'deactivated', header: string): PlainColumn<PreviewNight> {
  return { id, header, width: 'minmax(0, 2fr)', cell: (night) => <bdi>{describeUsers(night[id])}</bdi> };
}
