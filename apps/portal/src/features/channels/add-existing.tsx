import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { joinOf, previewOf } from './channels.queries.ts';
import type { Stored } from './default-channels.form.ts';

interface AddExistingProps {
  teamId: string;
  stored: Stored;
  isOn: boolean;
  onSwitch: (isOn: boolean) => void;
}

/** Whether the people who are in the team already are added too. */
export function AddExisting({ teamId, stored, isOn, onSwitch }: AddExistingProps) {
  // Nobody joins general, so this counts the people and nothing else.
  const general = stored.filter((channel) => channel.general).map(({ channel_id }) => channel_id);
  const people = useQuery(previewOf(teamId, general)).data?.of_people;
  const isJoining = useQuery(joinOf(teamId)).data?.join?.state === 'running';
  return (
    <Checkbox
      label={labelOf(people)}
      description={
        isJoining
          ? 'People are being added right now. When that is done, you can add them again.'
          : 'Without this, only people who come from now on join.'
      }
      checked={isOn}
      disabled={isJoining && !isOn}
      onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
    />
  );
}

function labelOf(people: number | undefined): string {
  if (people === undefined) return 'Also add the people who are in the team already';
  if (people === 1) return 'Also add the one person who is in the team already';
  return `Also add the ${people.toLocaleString('en-US')} people who are in the team already`;
}
