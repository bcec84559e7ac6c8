import type { UseFormReturnType } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { type Choice, type FoundChoices, SearchMany, toFound } from '#platform/forms/search-many.tsx';
import { connectionsQueryOptions } from '#workspace/connections/connections.queries.ts';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import type { HoldValues } from './hold.form.ts';
import { connectedChannelOptionsQueryOptions, connectedUserOptionsQueryOptions } from './holds.queries.ts';

interface ConnectedFieldsProps {
  form: UseFormReturnType<HoldValues>;
  /** The hold is new, or is limited to users. */
  hasUsers: boolean;
  hasChannels: boolean;
}

/** Each connected server has fields of its own. Without one, there are none. */
export function ConnectedFields({ form, hasUsers, hasChannels }: ConnectedFieldsProps) {
  const { id: teamId } = useCurrentTeam();
  const { data } = useQuery(connectionsQueryOptions(teamId));
  const accepted = data?.records.filter(({ accepted_at }) => accepted_at > 0) ?? [];
  return accepted.map(({ id, name }) => (
    <ServerFields
      key={id}
      form={form}
      hasUsers={hasUsers}
      hasChannels={hasChannels}
      server={{ teamId, connectionId: id, name }}
    />
  ));
}

interface Server {
  teamId: string;
  connectionId: string;
  name: string;
}

function ServerFields({ form, hasUsers, hasChannels, server }: ConnectedFieldsProps & { server: Server }) {
  const { name, connectionId } = server;
  const useUsers = (search: string) => useConnectedUsers(server, search);
  const useChannels = (search: string) => useConnectedChannels(server, search);
  const field = (list: 'connectedUsers' | 'connectedChannels') => {
    const [own, others] = split(form.values[list], connectionId);
    const { error } = form.getInputProps(list);
    return { value: own, onChange: (value: Choice[]) => form.setFieldValue(list, [...others, ...value]), error };
  };
  return (
    <>
      {hasUsers && (
        <SearchMany
          label={`Users on ${name}`}
          description="Also those who left the team there. The text of their messages stays at the server."
          placeholder="Search by name or email"
          useFound={useUsers}
          {...field('connectedUsers')}
        />
      )}
      {hasChannels && (
        <SearchMany
          label={`Channels on ${name}`}
          placeholder="Search by name"
          useFound={useChannels}
          {...field('connectedChannels')}
        />
      )}
    </>
  );
}

function split(choices: readonly Choice[], connectionId: string): [Choice[], Choice[]] {
  const isOwn = ({ id }: Choice) => id.startsWith(`${connectionId}/`);
  return [choices.filter(isOwn), choices.filter((choice) => !isOwn(choice))];
}

function useConnectedUsers({ teamId, connectionId }: Server, search: string): FoundChoices {
  const query = useQuery(connectedUserOptionsQueryOptions({ teamId, connectionId }, search));
  const options = query.data?.records.map(({ id, name, username }) => ({
    id: `${connectionId}/${id}`,
    name: name === '' ? username : name,
  }));
  return toFound(query, options);
}

/** Only owners see the names of private channels. */
function useConnectedChannels({ teamId, connectionId }: Server, search: string): FoundChoices {
  const query = useQuery(connectedChannelOptionsQueryOptions({ teamId, connectionId }, search));
  const options = query.data?.records.map(({ id, name }) => ({
    id: `${connectionId}/${id}`,
    name: name === '' ? `Private channel ${id}` : name,
  }));
  return toFound(query, options);
}
