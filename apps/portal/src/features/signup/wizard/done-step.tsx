import { Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { SIGNUP_HOURS } from '@steward/contract/api/limits';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import frame from '#workspace/page/card.module.css';
import { FormError } from '#workspace/page/card.tsx';
import classes from '../signup.module.css';
import { toRequest, WAIT_S, waitAfter } from './signup.form.ts';
import { useSending } from './use-sending.ts';
import { toSearch, type Wizard } from './wizard.ts';

/** Says where the email was sent, when its link expires, and what to do if it doesn't arrive. */
export function DoneStep({ wizard }: { wizard: Wizard }) {
  const { team_name, owner_email } = toRequest(wizard.draft);
  return (
    <>
      <Text className={classes.lead ?? ''} c="dimmed" mb="md">
        We sent a link to <strong>{owner_email}</strong>. Open it to create <strong>{team_name}</strong>. It expires in{' '}
        {SIGNUP_HOURS} hours.
      </Text>
      <Paper component="section" withBorder bg="transparent" p="md" mb="md">
        <Text component="h2" fw={600}>
          Didn't get the email?
        </Text>
        <Text c="dimmed" mb="sm">
          It can take a few minutes. Check your spam folder too.
        </Text>
        <SendAgain wizard={wizard} />
      </Paper>
      <Group justify="space-between" gap="8px 16px">
        <Link to="/signup" search={toSearch('owner')} state={{ isDetour: true }} className={frame.link}>
          Use another address
        </Link>
        <UnstyledButton className={frame.link} onClick={wizard.startOver}>
          Start over
        </UnstyledButton>
      </Group>
    </>
  );
}

function SendAgain({ wizard }: { wizard: Wizard }) {
  const [isSentAgain, setSentAgain] = useState(false);
  const [seconds, waitFor] = useCountdown(() => waitAfter(wizard.draft.sent_at, Date.now()));
  const { isSending, failure, send } = useSending(wizard, () => {
    setSentAgain(true);
    waitFor(WAIT_S);
  });
  return (
    <Stack gap={4}>
      {failure !== undefined && !isSending && <FormError>{failure}</FormError>}
      <div className={frame.row}>
        <FocusableButton isDisabled={seconds > 0} isBusy={isSending} onPress={send}>
          Send again
        </FocusableButton>
        {seconds > 0 && (
          <Text span c="dimmed" className="figures">
            available in {seconds} s
          </Text>
        )}
      </div>
      <Text role="status" c="var(--success)">
        {isSentAgain && !isSending && failure === undefined && 'Sent again. The earlier link still works.'}
      </Text>
    </Stack>
  );
}

/** Whole seconds left, by a monotonic clock, and a function that restarts the countdown. */
function useCountdown(first: () => number): [seconds: number, waitFor: (seconds: number) => void] {
  const [end, setEnd] = useState(() => performance.now() + first() * 1_000);
  const [now, setNow] = useState(() => performance.now());
  const seconds = Math.max(0, Math.ceil((end - now) / 1_000));
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setNow(performance.now()), 1_000);
    return () => clearInterval(timer);
  }, [isOver]);
  const waitFor = (wait: number) => {
    setNow(performance.now());
    setEnd(performance.now() + wait * 1_000);
  };
  return [seconds, waitFor];
}
