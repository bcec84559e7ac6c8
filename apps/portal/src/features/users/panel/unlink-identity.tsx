import { Button } from '@mantine/core';
import { unlinkIdentity } from '@steward/contract/sso/identities';
import { fullName } from '@steward/contract/users/names';
import type { UserDetails } from '@steward/contract/users/panel';
import { isAdminOfTeam } from '@steward/contract/users/roles';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { mutationOptionsFor } from '#platform/api/queries.ts';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import type { Holder } from '../sessions/sessions.queries.ts';
import { Named } from '../user-name.tsx';
import { refreshPanel } from './panel.queries.ts';

interface UnlinkIdentityProps {
  holder: Holder;
  user: UserDetails;
  provider: string;
}

export function UnlinkIdentity({ holder, user, provider }: UnlinkIdentityProps) {
  const [isAsking, setAsking] = useState(false);
  const client = useQueryClient();
  const { mutate, isPending } = useMutation(mutationOptionsFor(unlinkIdentity));
  const unlink = () =>
    mutate(
      { params: holder },
      {
        onSuccess: () => showSuccess(`The link of ${fullName(user)} was removed`),
        onError: showFailure,
        onSettled: () => {
          setAsking(false);
          refreshPanel(client);
        },
      },
    );
  return (
    <>
      <Button size="compact-xs" variant="default" onClick={() => setAsking(true)}>
        Remove link
      </Button>
      <ConfirmDialog
        opened={isAsking}
        onClose={() => setAsking(false)}
        title="Remove link to single sign-on"
        question={`Remove this user's link to ${provider}?`}
        detail={
          <>
            <Named user={user} /> will be signed out wherever they signed in with {provider}, and stays in the team.{' '}
            {isAdminOfTeam(user.roles)
              ? 'Because they manage the team, they have to link it again themselves under My account.'
              : `The next person to sign in at ${provider} with this verified email address is linked to this account.`}
          </>
        }
        confirmLabel="Remove"
        danger
        pending={isPending}
        onConfirm={unlink}
      />
    </>
  );
}
