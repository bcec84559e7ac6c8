import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { channelJoinQueryOptions, getPreview } from './channels.queries.ts';
import type { Stored } from './default-channels.form.ts';

interface AddExistingProps {
  teamId: string;
  stored: Stored;
  isEnabled: boolean;
  onToggle: (isEnabled: boolean) => void;
}

/** Whether the people who are in the team already are added too. */
export function AddExisting({ teamId, stored, isEnabled, onToggle }: AddExistingProps) {
  // Nobody joins general, so this counts the people and nothing else.
  const general = stored.filter((channel) => channel.general).map(({ channel_id }) => channel_id);
  const people = useQuery(getPreview(teamId, general)).data?.of_people;
  const isJoining = useQuery(channelJoinQueryOptions(teamId)).data?.join?.state === 'running';
  return (
    <Checkbox
      label={getLabel(people)}
      description={
        isJoining
          ? 'People are being added right now. When that is done, you can add them again.'
          : 'Without this, only people who come from now on join.'
      }
      checked={isEnabled}
      disabled={isJoining && !isEnabled}
      onChange={({ currentTarget }) => onToggle(currentTarget.checked)}
    />
  );
}

function getLabel(people: number | undefined): string {
  if (people === undefined) return 'Also add the people who are in the team already';
  if (people === 1) return 'Also add the one person who is in the team already';
  return `Also add the ${people.toLocaleString('en-US')} people who are in the team already`;
}
