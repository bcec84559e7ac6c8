import { Paper, Stack, Text } from '@mantine/core';
import { RETENTION_WAIT_MS } from '@steward/contract/api/limits';
import type { Preview } from '@steward/contract/retention';
import { KIND_TEXT } from '@steward/contract/retention/describe-rule';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import type { CSSProperties, FormEvent } from 'react';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { Facts, TeamTimestamp } from '#platform/page/facts.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { formatBytes, formatCount, formatDayIn, formatNumber } from '#platform/time/format.ts';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { focusCount } from '#workspace/retention/rule-fields.tsx';
import { useRulesForm } from '#workspace/retention/rules.form.ts';
import { ImpactQuestion, SaveDialog, useFocusReturn } from '#workspace/retention/save-dialog.tsx';
import classes from '#workspace/retention/setting.module.css';
import type { SavedRules } from '#workspace/retention/settings.ts';
import { type Impact, useSaving } from '#workspace/retention/use-save-rules.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { AgeSkeleton } from '../foresight/age-chart.tsx';
import { NoDueItems } from '../foresight/due-items.tsx';
import { findGroup, type Group as RetentionGroup } from '../groups.ts';
import { RecoveryText } from '../recovery-time.tsx';
import {
  overviewQueryOptions,
  previewRules,
  rulesQueryOptions,
  useRefreshAfterRun,
  useSaveRules,
} from '../retention.queries.ts';
import { SettingSection } from './setting-section.tsx';

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
  const form = useRulesForm(group.settings, saved);
  const saving = useSaving({
    ...{ settings: group.settings, saved, form, saving: useSaveRules(group, teamId) },
    preview: (rules, signal) => previewRules(group, teamId, { rules, signal }),
  });
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
      <SaveDialog confirmation={saving.confirmation}>
        {(impacts) => <Impacts teamId={teamId} stays={group.stays} impacts={impacts} />}
      </SaveDialog>
      <LeaveDialog leaving={leaving} onDiscard={() => form.reset()} />
    </form>
  );
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

interface ImpactsProps {
  teamId: string;
  stays: string | undefined;
  impacts: readonly Impact<Preview>[];
}

function Impacts({ teamId, stays, impacts }: ImpactsProps) {
  const zone = useQuery(overviewQueryOptions(teamId)).data?.time_zone;
  const isOne = impacts.length === 1;
  const effectiveAt = Math.max(...impacts.map(({ preview }) => preview.effective_at));
  const firstRunAt = Math.max(...impacts.map(({ preview }) => preview.first_run_at));
  return (
    <Stack gap="sm">
      <ImpactQuestion count={impacts.length} />
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

function ImpactItem({ impact: { setting, preview }, zone }: { impact: Impact<Preview>; zone: string | undefined }) {
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
