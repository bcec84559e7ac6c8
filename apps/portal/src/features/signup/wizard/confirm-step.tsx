import { ActionIcon, Box, Group, Text } from '@mantine/core';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '#platform/page/icon.tsx';
import { FormError } from '#workspace/page/card.tsx';
import classes from '../signup.module.css';
import { getInvitees, withoutInvitee } from './signup.form.ts';
import { StepButtons } from './step-parts.tsx';
import { useSending } from './use-sending.ts';
import type { Wizard } from './wizard.ts';

/** Step 5: confirms the invitees and sends the request. */
export function ConfirmStep({ wizard }: { wizard: Wizard }) {
  const { draft, edit, next, back } = wizard;
  const { isSending, failure, send } = useSending(wizard, next);
  const invitees = getInvitees(draft);
  const lead = useRef<HTMLParagraphElement>(null);
  const remove = (address: string) => {
    flushSync(() => edit(withoutInvitee(draft, address)));
    // The focused button is gone.
    lead.current?.focus();
  };
  return (
    <>
      <Text ref={lead} tabIndex={-1} c="dimmed" mb="md">
        {invitees.length === 0
          ? 'No one will be invited yet. You can invite people later.'
          : "We'll invite these people once you open the link in your email."}
      </Text>
      {invitees.length > 0 && (
        <ul className={classes.list} aria-label="Invitees">
          {invitees.map((address) => (
            <Group key={address} gap="xs" wrap="nowrap" py={6} renderRoot={(props) => <li {...props} />}>
              <Box flex={1} miw={0}>
                {address}
              </Box>
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Remove ${address}`}
                disabled={isSending}
                onClick={() => remove(address)}
              >
                <Icon name="close" size={16} />
              </ActionIcon>
            </Group>
          ))}
        </ul>
      )}
      {failure !== undefined && !isSending && (
        <Box mb="md">
          <FormError>{failure}</FormError>
        </Box>
      )}
      <StepButtons onBack={back} onNext={send} isBusy={isSending}>
        Confirm and send link
      </StepButtons>
    </>
  );
}
