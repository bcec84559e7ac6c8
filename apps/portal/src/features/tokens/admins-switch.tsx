import { Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { policyQueryOptions, useSavePolicy } from './tokens.queries.ts';

/** Whether admins may create tokens; only owners see it. Saves at once. */
export function AdminsSwitch({ teamId }: { teamId: string }) {
  const { data } = useQuery(policyQueryOptions(teamId));
  const { mutate } = useSavePolicy(teamId);
  if (data === undefined) return null;
  return (
    <Switch
      label="Admins can create tokens"
      description="Otherwise, only owners create and remove tokens. Existing tokens keep working."
      checked={data.admins_may_create}
      onChange={({ currentTarget: { checked } }) =>
        mutate({ params: { teamId }, body: { admins_may_create: checked } })
      }
    />
  );
}
