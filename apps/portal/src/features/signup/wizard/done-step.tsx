import { UnstyledButton } from '@mantine/core';
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
      <p className={classes.lead}>
        We sent a link to <strong>{owner_email}</strong>. Open it to create <strong>{team_name}</strong>. It expires in{' '}
        {SIGNUP_HOURS} hours.
      </p>
      <section className={classes.help}>
        <h2 className={classes.helpTitle}>Didn't get the email?</h2>
        <p className={classes.helpText}>It can take a few minutes. Check your spam folder too.</p>
        <SendAgain wizard={wizard} />
      </section>
      <div className={classes.ways}>
        <Link to="/signup" search={toSearch('owner')} state={{ isDetour: true }} className={frame.link}>
          Use another address
        </Link>
        <UnstyledButton className={frame.link} onClick={wizard.startOver}>
          Start over
        </UnstyledButton>
      </div>
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
    <>
      {failure !== undefined && !isSending && <FormError>{failure}</FormError>}
      <div className={frame.row}>
        <FocusableButton isDisabled={seconds > 0} isBusy={isSending} onPress={send}>
          Send again
        </FocusableButton>
        {seconds > 0 && <span className={classes.seconds}>available in {seconds} s</span>}
      </div>
      <p role="status" className={classes.again}>
        {isSentAgain && !isSending && failure === undefined && 'Sent again. The earlier link still works.'}
      </p>
    </>
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
