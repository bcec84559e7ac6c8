import { Button, Group, Loader, Paper, Stack, Text } from '@mantine/core';
import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type CSSProperties, type FormEvent, useEffect, useRef } from 'react';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { Facts, TeamTimestamp } from '#platform/page/facts.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatCount, formatDayIn, formatNumber } from '#platform/time/format.ts';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { AgeSkeleton } from '../foresight/age-chart.tsx';
import { NoDueItems } from '../foresight/due-items.tsx';
import { findGroup, type Group as RetentionGroup, type SavedRules } from '../groups.ts';
import { RecoveryText } from '../recovery-time.tsx';
import classes from '../retention.module.css';
import { overviewQueryOptions, rulesQueryOptions, useRefreshAfterRun } from '../retention.queries.ts';
import { useGroupForm } from './group.form.ts';
import { focusCount, SettingSection } from './setting-section.tsx';
import { type Confirmation, type Impact, useSaving } from './use-save-rules.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/{$group}_retention')({
  component: GroupPage,
});

function GroupPage() {
  const group = findGroup(Route.useParams().group);
  return group === undefined ? <NotFoundScreen /> : <GroupRules key={group.name} group={group} />;
}

function GroupRules({ group }: { group: RetentionGroup }) {
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useQuery(rulesQueryOptions(group, teamId));
  return (
    <Page
      title={group.title}
      description={group.stays === undefined ? group.description : `${group.description} ${group.stays}`}
      actions={<HistoryLink actions={['retention.saved']} />}
    >
      {data !== undefined && <GroupForm group={group} saved={data} teamId={teamId} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <GroupSkeleton group={group} />}
    </Page>
  );
}

/** The facts beside the settings take the rest of the width. */
const FULL_WIDTH = { '--form-width': 'none' } as CSSProperties;

interface GroupFormProps {
  group: RetentionGroup;
  saved: SavedRules;
  teamId: string;
}

/** The settings of a group are saved together. */
function GroupForm({ group, saved, teamId }: GroupFormProps) {
  const form = useGroupForm(group, saved);
  const saving = useSaving({ group, teamId, saved, form });
  useRefreshAfterRun(useQuery(overviewQueryOptions(teamId)).data?.kinds.map(({ running }) => running));
  const isUnsaved = form.changed.length > 0;
  const leaving = useDiscardPrompt(isUnsaved);
  const opener = useFocusReturn(saving.confirmation.opened);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    opener.current = document.activeElement;
    const invalid = form.check();
    if (invalid === undefined) saving.save();
    else focusCount(invalid);
  };
  return (
    <form noValidate className={sheet.form} style={FULL_WIDTH} aria-label={group.title} onSubmit={submit}>
      {group.settings.map((setting) => (
        <SettingSection
          key={setting.kind}
          group={group}
          setting={setting}
          teamId={teamId}
          form={form}
          saving={saving}
          saved={saved[setting.kind] ?? { value: 0 }}
        />
      ))}
      <SaveBar
        isUnsaved={isUnsaved}
        canSave={isUnsaved || group.settings.some(({ kind }) => saved[kind]?.unreadable)}
        isBusy={saving.isBusy}
        failure={saving.failure}
        onReset={() => form.reset()}
      />
      <SaveDialog teamId={teamId} stays={group.stays} confirmation={saving.confirmation} />
      <LeaveDialog leaving={leaving} onDiscard={() => form.reset()} />
    </form>
  );
}

/** The focus returns to the element that submitted the form, because the dialog may open later than the submit. */
function useFocusReturn(isConfirming: boolean) {
  const opener = useRef<Element>(null);
  const wasConfirming = useRef(false);
  useEffect(() => {
    if (wasConfirming.current && !isConfirming && opener.current instanceof HTMLElement) opener.current.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  return opener;
}

function GroupSkeleton({ group }: { group: RetentionGroup }) {
  return (
    <Stack gap="md" aria-busy="true">
      {group.settings.map(({ kind }) => (
        <Paper key={kind} withBorder className={classes.setting}>
          <Stack gap="md" p={20}>
            <Skeletons rows={1} height={22} width="9rem" />
            <Skeletons rows={3} height={18} width="19rem" />
          </Stack>
          <Stack gap="md" p={20}>
            <Skeletons rows={6} height={14} width="16rem" />
            <AgeSkeleton />
            <NoDueItems />
          </Stack>
        </Paper>
      ))}
    </Stack>
  );
}

const WAIT_HOURS = RETENTION_WAIT_MS / 3_600_000;

interface SaveDialogProps {
  teamId: string;
  stays: string | undefined;
  confirmation: Confirmation;
}

/** Shows the effect of a stricter rule before it is saved. Cancel has the focus, so that an accidental Enter does nothing. */
function SaveDialog({ teamId, stays, confirmation }: SaveDialogProps) {
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
      {step.name === 'ready' && <Impacts teamId={teamId} stays={stays} impacts={step.impacts} />}
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

function Impacts({
  teamId,
  stays,
  impacts,
}: Pick<SaveDialogProps, 'teamId' | 'stays'> & { impacts: readonly Impact[] }) {
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
      {stays !== undefined && <Text>{stays}</Text>}
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
