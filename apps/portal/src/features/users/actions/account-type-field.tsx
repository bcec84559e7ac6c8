import { Radio, type RadioGroupProps, Stack } from '@mantine/core';
import { useCurrentTeam } from '#workspace/teams/teams.ts';

export function AccountTypeField(props: Omit<RadioGroupProps, 'children' | 'label' | 'required'>) {
  const team = useCurrentTeam();
  return (
    <Radio.Group label="Account Type" required {...props}>
      <Stack gap={12} mt={8}>
        <Radio
          value="2"
          label="Team User"
          description={`Can use ${team.display_name}'s workspace. No access to this portal.`}
        />
        <Radio value="1" label="Team Admin" description="Can also manage the team in the admin portal." />
      </Stack>
    </Radio.Group>
  );
}
