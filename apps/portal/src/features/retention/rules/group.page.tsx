import { Paper, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type CSSProperties, type FormEvent, useEffect, useRef } from 'react';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { NotFoundScreen } from '#workspace/page/not-found-screen.tsx';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { AgeSkeleton } from '../foresight/age-chart.tsx';
import { NoDueItems } from '../foresight/due-items.tsx';
import { findGroup, type Group, type SavedRules } from '../groups.ts';
import classes from '../retention.module.css';
import { overviewQueryOptions, rulesQueryOptions, useRefreshAfterRun } from '../retention.queries.ts';
import { useGroupForm } from './group.form.ts';
import { SaveDialog } from './save-dialog.tsx';
import { focusCount, SettingSection } from './setting-section.tsx';
import { useSaving } from './use-save-rules.ts';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/{$group}_retention')({
  component: GroupPage,
});

/** The rule screen of a group: file_retention, message_retention and four more. */
function GroupPage() {
  const group = findGroup(Route.useParams().group);
  return group === undefined ? <NotFoundScreen /> : <GroupRules key={group.name} group={group} />;
}

function GroupRules({ group }: { group: Group }) {
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useQuery(rulesQueryOptions(group, teamId));
  return (
    <Page title={group.title} description={group.description} actions={<HistoryLink actions={['retention.saved']} />}>
      {data !== undefined && <GroupForm group={group} saved={data} teamId={teamId} />}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && <GroupSkeleton group={group} />}
    </Page>
  );
}

/** The facts beside the settings take the rest of the width. */
const FULL_WIDTH = { '--form-width': 'none' } as CSSProperties;

interface GroupFormProps {
  group: Group;
  saved: SavedRules;
  teamId: string;
}

/** The settings of a group, saved together. */
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
          {...{ group, setting, teamId, form, saving }}
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
      <SaveDialog teamId={teamId} confirmation={saving.confirmation} />
      <LeaveDialog leaving={leaving} onDiscard={() => form.reset()} />
    </form>
  );
}

/** Returns the focus to what submitted the form: the dialog may open later than the submit. */
function useFocusReturn(isConfirming: boolean) {
  const opener = useRef<Element>(null);
  const wasConfirming = useRef(false);
  useEffect(() => {
    if (wasConfirming.current && !isConfirming && opener.current instanceof HTMLElement) opener.current.focus();
    wasConfirming.current = isConfirming;
  }, [isConfirming]);
  return opener;
}

function GroupSkeleton({ group }: { group: Group }) {
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
