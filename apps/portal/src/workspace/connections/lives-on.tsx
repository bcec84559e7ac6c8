import { Group, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { PickOne } from '#platform/forms/pick-one.tsx';
import { useCurrentTeam } from '#workspace/teams/teams.ts';
import { connectionsQueryOptions } from './connections.queries.ts';

/** Users of this workspace and of each connected server are on screens of their own. Nothing is shown without a server. */
export function LivesOn({ chosen }: { chosen: string | undefined }) {
  const { id: teamId } = useCurrentTeam();
  const navigate = useNavigate();
  const { data } = useQuery(connectionsQueryOptions(teamId));
  const accepted = data?.records.filter(({ accepted_at }) => accepted_at > 0) ?? [];
  if (accepted.length === 0) return null;
  const show = (connection: string) =>
    void (connection === ''
      ? navigate({ to: '/users/users' })
      : navigate({ to: '/users/connected_users', search: { connection } }));
  return (
    <Group gap={8} wrap="nowrap">
      <Text span c="dimmed" aria-hidden="true" visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
        Lives on
      </Text>
      <PickOne
        label="Lives on"
        className={undefined}
        options={[
          { value: '', label: 'This workspace' },
          ...accepted.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={chosen ?? ''}
        onPick={show}
      />
    </Group>
  );
}
