import { Alert } from '@mantine/core';
import { DEFAULT_CHANNELS_MAX } from '@steward/contract/api/limits';
import type { ConnectedChannel, Connection } from '@steward/contract/connections';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { LeaveDialog, useDiscardPrompt } from '#platform/dialogs/discard-dialog.tsx';
import { showSuccess } from '#platform/feedback/alerts.tsx';
import { SaveBar } from '#platform/forms/save-bar.tsx';
import sheet from '#platform/forms/save-form.module.css';
import { type Choice, type FoundChoices, SearchMany, toFound } from '#platform/forms/search-many.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { PageError, Skeletons } from '#platform/page/page.tsx';
import { HistoryLink } from '#workspace/audit/history-link.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { defaultsQueryOptions, foundChannelsQueryOptions, savingDefaults } from './connected-defaults.queries.ts';
import { ConnectedPage, NothingAccepted, ServerChoice } from './connected-page.tsx';
import type { Place } from './connections.queries.ts';

interface DefaultsSearch {
  connection?: string;
}

export const Route = createFileRoute('/_protected/_shell/dashboard/team_settings/connected_defaults')({
  validateSearch: ({ connection }: Record<string, unknown>): DefaultsSearch =>
    typeof connection === 'string' ? { connection } : {},
  component: ConnectedDefaultsPage,
});

function ConnectedDefaultsPage() {
  const { connection: wanted } = Route.useSearch();
  const navigate = Route.useNavigate();
  return (
    <ConnectedPage
      title="Default Channels"
      description="Users are added to these channels only when you ask for it: in Manage Users, choose the server under Lives on, then Add to default channels."
      wanted={wanted}
      actions={(accepted, chosen) => (
        <>
          <ServerChoice all={accepted} chosen={chosen} onPick={(id) => void navigate({ search: { connection: id } })} />
          <HistoryLink actions={['connections.defaults_saved']} {...(chosen && { target: chosen.id })} />
        </>
      )}
      loading={<Loading />}
      nothing={
        <NothingAccepted to="/dashboard/team_settings/connected_server" link="Open Connected Server">
          Once an owner accepts a connected server and its channels were listed, they can be chosen here.
        </NothingAccepted>
      }
    >
      {(connection) => <Defaults key={connection.id} connection={connection} />}
    </ConnectedPage>
  );
}

function Loading() {
  return (
    <div className={sheet.form} aria-busy="true">
      <Skeletons rows={1} height={126} />
      <div className={sheet.foot}>
        <Skeletons rows={1} height={36} width="4.5rem" />
      </div>
    </div>
  );
}

function Defaults({ connection }: { connection: Connection }) {
  const { id: teamId } = useCurrentTeam();
  const place = { teamId, connectionId: connection.id };
  const { data, error, refetch } = useQuery(defaultsQueryOptions(place));
  if (data === undefined && error === null) return <Loading />;
  if (data === undefined) return <PageError failure={error} onRetry={() => void refetch()} />;
  if (connection.channels === 0)
    return (
      <EmptyState icon="hash" title="No channels yet">
        Channels of {connection.name} can be chosen as soon as the bridge has listed them.
      </EmptyState>
    );
  return <DefaultsForm place={place} server={connection.name} stored={data.records} />;
}

interface DefaultsFormProps {
  place: Place;
  server: string;
  stored: readonly ConnectedChannel[];
}

function DefaultsForm({ place, server, stored }: DefaultsFormProps) {
  const { saved, lost } = splitStored(stored);
  const [edited, setEdited] = useState<readonly Choice[]>();
  const chosen = edited ?? saved;
  const isUnsaved = edited !== undefined && toKey(edited) !== toKey(saved);
  const isTooMany = chosen.length > DEFAULT_CHANNELS_MAX;
  const { mutate, isPending, error } = useMutation(savingDefaults);
  const leaving = useDiscardPrompt(isUnsaved);
  const useFound = (search: string) => useFoundChannels(place, search);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate(
      { params: { ...place }, body: { channel_ids: chosen.map(({ id }) => id) } },
      { onSuccess: () => showSuccess('Saved Successfully') },
    );
  };
  return (
    <form noValidate className={sheet.form} aria-label="Default Channels" onSubmit={submit}>
      <div className={sheet.fields}>
        <SearchMany
          label="Channels"
          description={`Public channels of the team on ${server}. The bridge doesn't add users to private channels.`}
          placeholder="Search channels"
          value={chosen}
          useFound={useFound}
          onChange={setEdited}
          {...(isTooMany && { error: `Choose at most ${DEFAULT_CHANNELS_MAX} channels.` })}
        />
        {lost > 0 && <LostNotice count={lost} />}
      </div>
      <SaveBar
        isUnsaved={isUnsaved}
        canSave={(isUnsaved || lost > 0) && !isTooMany}
        isBusy={isPending}
        failure={error?.message}
        onReset={() => setEdited(undefined)}
      />
      <LeaveDialog leaving={leaving} onDiscard={() => setEdited(undefined)} />
    </form>
  );
}

const toKey = (choices: readonly Choice[]) =>
  choices
    .map(({ id }) => id)
    .sort()
    .join();

/** The server refuses a channel that was archived or became private. */
function splitStored(stored: readonly ConnectedChannel[]): { saved: Choice[]; lost: number } {
  const open = stored.filter(isOpen);
  return { saved: open.map(({ id, name }) => ({ id, name })), lost: stored.length - open.length };
}

const isOpen = ({ type, archived }: ConnectedChannel) => type === 'O' && !archived;

function LostNotice({ count }: { count: number }) {
  return (
    <Alert color="yellow" variant="light" p="xs" mt={-8} role="note">
      {count === 1
        ? '1 channel is private or archived now, and will be removed when you save.'
        : `${count} channels are private or archived now, and will be removed when you save.`}
    </Alert>
  );
}

function useFoundChannels(place: Place, search: string): FoundChoices {
  const query = useQuery(foundChannelsQueryOptions(place, search));
  const options = query.data?.records.filter(isOpen).map(({ id, name }) => ({ id, name }));
  return toFound(query, options);
}
