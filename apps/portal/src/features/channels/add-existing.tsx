import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { formatNumber } from '#platform/time/format.ts';
import { channelJoinQueryOptions, getPreview } from './channels.queries.ts';
import type { Stored } from './default-channels.form.ts';

interface AddExistingProps {
  teamId: string;
  stored: Stored;
  isEnabled: boolean;
  onToggle: (isEnabled: boolean) => void;
}

/** Whether current members are added too. */
export function AddExisting({ teamId, stored, isEnabled, onToggle }: AddExistingProps) {
  // Everyone is in general already, so this only counts the members.
  const general = stored.filter((channel) => channel.general).map(({ channel_id }) => channel_id);
  const people = useQuery(getPreview(teamId, general)).data?.of_people;
  const isJoining = useQuery(channelJoinQueryOptions(teamId)).data?.join?.state === 'running';
  return (
    <Checkbox
      label={getLabel(people)}
      description={
        isJoining
          ? 'Members are being added right now. You can add them again after that.'
          : 'Otherwise only people who join the team later are added.'
      }
      checked={isEnabled}
      disabled={isJoining && !isEnabled}
      onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
    />
  );
}

function getLabel(people: number | undefined): string {
  if (people === undefined) return 'Also add the current members';
  if (people === 1) return 'Also add the 1 current member';
  return `Also add the ${formatNumber(people)} current members`;
}
