import { Button } from '@mantine/core';
import type { Connection } from '@steward/contract/connections';
import { Link, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { EmptyState } from '#platform/page/empty-state.tsx';
import { Page, PageError } from '#platform/page/page.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { useConnections } from './connections.queries.ts';

interface ConnectedPageProps {
  /** The name of the server follows it, as in “Retention on Chat”. */
  title: string;
  description: ReactNode;
  /** The id in the address; without a matching one, the page is about the first server. */
  wanted: string | undefined;
  actions: (accepted: readonly Connection[], chosen: Connection | undefined) => ReactNode;
  loading: ReactNode;
  /** Shown while the team has accepted no server. */
  nothing: ReactNode;
  children: (connection: Connection) => ReactNode;
}

/** A page about one of the servers that the team has accepted. */
export function ConnectedPage(props: ConnectedPageProps) {
  const { title, description, wanted, actions, loading, nothing, children } = props;
  const { id: teamId } = useCurrentTeam();
  const { data, error, refetch } = useConnections(teamId);
  const accepted = data?.records.filter(({ accepted_at }) => accepted_at > 0) ?? [];
  const chosen = accepted.find(({ id }) => id === wanted) ?? accepted[0];
  return (
    <Page
      title={`${title} on ${chosen?.name ?? 'a Connected Server'}`}
      description={description}
      actions={actions(accepted, chosen)}
    >
      {data === undefined && error === null && loading}
      {data === undefined && error !== null && <PageError failure={error} onRetry={() => void refetch()} />}
      {data !== undefined && chosen === undefined && nothing}
      {chosen !== undefined && children(chosen)}
    </Page>
  );
}

interface NothingAcceptedProps {
  to: LinkProps['to'];
  link: string;
  children: string;
}

export function NothingAccepted({ to, link, children }: NothingAcceptedProps) {
  return (
    <EmptyState
      icon="server"
      title="This team governs no server"
      action={
        <Button variant="default" renderRoot={(props) => <Link to={to} {...props} />}>
          {link}
        </Button>
      }
    >
      {children}
    </EmptyState>
  );
}

interface ServerChoiceProps {
  all: readonly Connection[];
  chosen: Connection | undefined;
  onPick: (connectionId: string) => void;
}

/** Only for a team that governs several servers. */
export function ServerChoice({ all, chosen, onPick }: ServerChoiceProps) {
  if (all.length < 2 || chosen === undefined) return null;
  return (
    <PickOne
      label="Server"
      className={undefined}
      options={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen.id}
      onPick={onPick}
    />
  );
}
