import { TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { TEAM_NAME_MAX } from '@steward/contract/api/limits';
import { TeamName } from '@steward/contract/session/teams';
import { getTeamSettings, saveTeamSettings, type TeamSettings } from '@steward/contract/team';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { queryClient } from '#platform/api/query-client.ts';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showSuccess } from '#platform/feedback/alerts.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { TimeZoneField } from '#platform/forms/time-zone-field.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { refreshTeams } from '#workspace/session/session.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { ZoneChange } from './zone-change.tsx';

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/team')({ component: TeamPage });

const TITLE = 'Name and Time Zone';

function TeamPage() {
  const { id, roles } = useCurrentTeam();
  return roles.includes('team_owner') ? <OwnerPage teamId={id} /> : <AdminPage />;
}

/** Other admins can't call the endpoints of this screen. */
function AdminPage() {
  return (
    <Page title={TITLE} actions={<HistoryLink actions={['teams']} />}>
      <EmptyState icon="lock" title="Only owners can change the name and the time zone">
        The name is shown to everyone in the team and in invitations. The time zone decides when a day begins for
        retention.
      </EmptyState>
    </Page>
  );
}

function OwnerPage({ teamId }: { teamId: string }) {
  const { data, error, refetch } = useQuery(queryOptionsFor(getTeamSettings, { params: { teamId } }));
  return (
    <Page
      title={TITLE}
      description="The name of the team, and the time zone of its days."
      actions={<HistoryLink actions={['teams']} />}
    >
      {data !== undefined && <TeamForm teamId={teamId} stored={data} />}
      {data === undefined && error === null && (
        <div className={sheet.form} aria-busy="true">
          <Skeletons rows={2} height={112} />
        </div>
      )}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
    </Page>
  );
}

type Form = UseFormReturnType<TeamSettings>;

function TeamForm({ teamId, stored }: { teamId: string; stored: TeamSettings }) {
  const form = useForm<TeamSettings>({
    initialValues: stored,
    validate: { display_name: (name) => findNameProblem(name) },
  });
  const { save, isSaving, failure } = useSaving(teamId, form);
  const isUnsaved = form.isDirty();
  const leaving = useDiscardPrompt(isUnsaved);
  const { time_zone } = form.values;
  return (
    <form noValidate className={sheet.form} aria-label={TITLE} onSubmit={save}>
      <section className={sheet.fields}>
        <TextInput
          label="Company or team name"
          description="Everyone in the team sees it, and everyone who is invited."
          autoComplete="organization"
          maxLength={TEAM_NAME_MAX}
          {...form.getInputProps('display_name')}
        />
      </section>
      <section className={sheet.fields}>
        <TimeZoneField
          description="Retention runs at 2:00 AM of this zone, and its rules count whole days of it. Emails about the team show times in it."
          value={time_zone}
          onChange={(zone) => form.setFieldValue('time_zone', zone)}
        />
        {time_zone !== stored.time_zone && <ZoneChange teamId={teamId} timeZone={time_zone} />}
      </section>
      <SaveBar isUnsaved={isUnsaved} isBusy={isSaving} failure={failure} onReset={form.reset} />
      <LeaveDialog leaving={leaving} onDiscard={form.reset} />
    </form>
  );
}

function findNameProblem(name: string): string | null {
  const reason = TeamName.safeParse(name).error?.issues[0]?.message;
  return reason === undefined ? null : `The name ${reason}.`;
}

/** Only what was changed is sent, so that another owner's change of the other field isn't undone. */
function useSaving(teamId: string, form: Form) {
  const { mutate, isPending, error } = useMutation(mutationOptionsFor(saveTeamSettings));
  const save = form.onSubmit(
    ({ display_name, time_zone }) =>
      mutate(
        {
          params: { teamId },
          body: {
            ...(form.isDirty('display_name') && { display_name }),
            ...(form.isDirty('time_zone') && { time_zone }),
          },
        },
        {
          onSuccess: async (saved) => {
            form.setInitialValues(saved);
            form.setValues(saved);
            showSuccess('Saved Successfully');
            // The header shows the name, and the screens of retention show the zone.
            await refreshTeams().catch(() => undefined);
            await queryClient.invalidateQueries();
          },
        },
      ),
    () => form.getInputNode('display_name')?.focus(),
  );
  return { save, isSaving: isPending, failure: error !== null && !isPending ? error.message : undefined };
}
