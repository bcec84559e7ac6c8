import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { useQuery } from '@tanstack/react-query';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { ignoreRepeat } from '#platform/dialogs/ignore-repeat.ts';
import { Icon } from '#platform/page/icon.tsx';
import { formatBytes, formatDayIn, formatNumber } from '#platform/time/format.ts';
import { Facts } from '../facts.tsx';
import { formatCount } from '../format.ts';
import { RecoveryText } from '../recovery-time.tsx';
import { overviewQueryOptions } from '../retention.queries.ts';
import { TeamTimestamp } from '../team-timestamp.tsx';
import type { Confirmation, Impact } from './use-save-rules.ts';

const WAIT_HOURS = RETENTION_WAIT_MS / 3_600_000;

interface SaveDialogProps {
  teamId: string;
  confirmation: Confirmation;
}

/** Shows what a stricter rule would delete before it is saved. Cancel has the focus, so a stray Enter does nothing. */
export function SaveDialog({ teamId, confirmation }: SaveDialogProps) {
  const { step, opened, isSaving, close, retry, confirm } = confirmation;
  return (
    <Dialog opened={opened} onClose={close} title="Save the rule" width={520} closable={!isSaving} returnFocus={false}>
      {step.name === 'counting' && (
        <Group gap={10} c="dimmed" role="status">
          <Loader size={16} aria-hidden="true" /> Counting what this rule would delete…
        </Group>
      )}
      {step.name === 'failed' && (
        <Text c="var(--danger)" role="alert">
          Couldn't count what this rule would delete: {step.reason} Nothing was saved.
        </Text>
      )}
      {step.name === 'ready' && <Impacts teamId={teamId} impacts={step.impacts} />}
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={isSaving} onClick={close}>
          Cancel
        </Button>
        {step.name === 'failed' && (
          <Button leftSection={<Icon name="retry" size={16} />} onClick={retry}>
            Retry
          </Button>
        )}
        {step.name !== 'failed' && (
          <Button
            color="red"
            disabled={step.name === 'counting'}
            loading={isSaving}
            onKeyDown={ignoreRepeat}
            onClick={() => step.name === 'ready' && confirm(step.rules)}
          >
            Save the rule
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}

function Impacts({ teamId, impacts }: { teamId: string; impacts: readonly Impact[] }) {
  const zone = useQuery(overviewQueryOptions(teamId)).data?.time_zone;
  const isOne = impacts.length === 1;
  const effectiveAt = Math.max(...impacts.map(({ preview }) => preview.effective_at));
  const firstRunAt = Math.max(...impacts.map(({ preview }) => preview.first_run_at));
  return (
    <Stack gap="sm">
      <Text fw={500}>
        {isOne
          ? 'This rule deletes more than the current one. Save it anyway?'
          : 'These rules delete more than the current ones. Save them anyway?'}
      </Text>
      <Stack component="ul" gap="xs" m={0} p={0}>
        {impacts.map((impact) => (
          <ImpactItem key={impact.setting.kind} impact={impact} zone={zone} />
        ))}
      </Stack>
      <Text c="dimmed">
        {isOne ? 'It takes' : 'They take'} effect on <TeamTimestamp at={effectiveAt} teamZone={zone} />, {WAIT_HOURS}{' '}
        hours from now. The first run after that is on <TeamTimestamp at={firstRunAt} teamZone={zone} />.{' '}
        <Text span inherit fw={500} c="var(--mantine-color-text)">
          <RecoveryText teamId={teamId} />
        </Text>
      </Text>
      <Text c="dimmed">You can cancel this change on this page until then.</Text>
    </Stack>
  );
}

function ImpactItem({ impact: { setting, preview }, zone }: { impact: Impact; zone: string | undefined }) {
  const { count, bytes, oldest, newest, cutoff, held } = preview;
  const text = KIND_TEXT[setting.kind];
  return (
    <Paper
      component="li"
      p="sm"
      bg="var(--danger-soft)"
      bd="1px solid var(--danger-line)"
      styles={{ root: { listStyle: 'none' } }}
    >
      <Text component="h3" m={0} fz="0.8125rem" fw={500}>
        {setting.title}
      </Text>
      <Text fz="1rem" fw={600} mb={8}>
        {count === 0 ? `No ${text.many} would be deleted now` : `${formatCount(count, text)}, ${formatBytes(bytes)}`}
      </Text>
      <Facts
        facts={[
          ['Everything before', cutoff === null ? null : formatDayIn(cutoff, zone ?? 'UTC')],
          ['Oldest', oldest === null ? null : <TeamTimestamp key="oldest" at={oldest} teamZone={zone} />],
          ['Kept by legal holds', held.count === 0 ? null : formatNumber(held.count)],
          ['Newest', newest === null ? null : <TeamTimestamp key="newest" at={newest} teamZone={zone} />],
        ]}
      />
    </Paper>
  );
}
