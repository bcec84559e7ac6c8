import { ActionIcon, Box, Group, Paper, Stack, Text, UnstyledButton } from '@mantine/core';
import { SIGNUP_HOURS } from '@steward/contract/api/limits';
import { createFileRoute, Link, Navigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { FocusableButton } from '#platform/forms/focusable-button.tsx';
import { Icon } from '#platform/page/icon.tsx';
import { getSignUpAccess } from '#platform/product/product.ts';
import { toZoneOption } from '#platform/time/time-zones.ts';
import frame from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { InviteStep } from './invite-step.tsx';
import { getInvitees, type Step, toRequest, WAIT_S, waitAfter, withoutInvitee } from './signup.form.ts';
import classes from './signup.module.css';
import { StepButtons, StepProgress } from './step-parts.tsx';
import { OwnerStep, TeamStep } from './text-step.tsx';
import { toSearch, useSending, useWizard, type Wizard } from './wizard.ts';

export const Route = createFileRoute('/signup')({
  validateSearch: ({ step }: Record<string, unknown>): { step?: string } => (typeof step === 'string' ? { step } : {}),
  component: SignupPage,
});

const TITLES: Record<Step, string> = {
  team: 'Name your team',
  owner: 'Your email address',
  invite: 'Invite teammates',
  review: 'Review',
  confirm: 'Confirm invitees',
  done: 'Check your email for the magic link',
};

const CONTENTS: Record<Step, (props: { wizard: Wizard; isLimited: boolean }) => ReactNode> = {
  team: TeamStep,
  owner: OwnerStep,
  invite: InviteStep,
  review: ReviewStep,
  confirm: ConfirmStep,
  done: DoneStep,
};

/** These steps have no field to focus. */
const READ_ONLY: ReadonlySet<Step> = new Set(['review', 'confirm', 'done']);

function SignupPage() {
  const mode = getSignUpAccess();
  if (mode === 'off') return <Closed />;
  return <WizardSteps isLimited={mode === 'domains'} />;
}

function Closed() {
  return (
    <Card title="Sign-up is closed" isWide isTitleFocused>
      <p className={frame.text}>
        New teams can't sign up on this server. To join a team, ask one of its admins to invite you: invitations work as
        usual.
      </p>
      <ToSignIn>Have an account?</ToSignIn>
    </Card>
  );
}

function ToSignIn({ children }: { children: string }) {
  return (
    <p className={frame.foot}>
      {children}{' '}
      <Link to="/login" className={frame.link}>
        Sign in
      </Link>
    </p>
  );
}

function WizardSteps({ isLimited }: { isLimited: boolean }) {
  const { step: wanted } = Route.useSearch();
  const wizard = useWizard(wanted);
  const { step } = wizard;
  if (toSearch(step).step !== wanted) return <Navigate to="/signup" search={toSearch(step)} replace />;
  const Content = CONTENTS[step];
  return (
    <Card
      title={TITLES[step]}
      isWide
      isTitleFocused={READ_ONLY.has(step)}
      lead={step === 'done' ? undefined : <StepProgress step={step} />}
    >
      <Content key={step} wizard={wizard} isLimited={isLimited} />
      <ToSignIn>{step === 'done' ? 'Opened it?' : 'Have an account?'}</ToSignIn>
    </Card>
  );
}

function ReviewStep({ wizard: { draft, next, back } }: { wizard: Wizard }) {
  const { team_name, owner_email, invitees, time_zone } = toRequest(draft);
  return (
    <>
      <dl className={classes.list}>
        <Answer name="Company or team name" step="team">
          {team_name}
        </Answer>
        <Answer name="Time zone" step="team">
          {toZoneOption(time_zone).label}
        </Answer>
        <Answer name="Owner email" step="owner">
          {owner_email}
        </Answer>
        <Answer name="Teammates" step="invite">
          {invitees.length === 0 ? 'No one yet' : invitees.map((address) => <div key={address}>{address}</div>)}
        </Answer>
      </dl>
      <StepButtons onBack={back} onNext={next} />
    </>
  );
}

function Answer({ name, step, children }: { name: string; step: Step; children: ReactNode }) {
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" c="dimmed" fz="xs" renderRoot={(props) => <dt {...props} />}>
        {name}
        <Link
          to="/signup"
          search={toSearch(step)}
          state={{ isDetour: true }}
          className={frame.link}
          aria-label={`Edit ${name}`}
        >
          Edit
        </Link>
      </Group>
      <Text component="dd">{children}</Text>
    </div>
  );
}

function DoneStep({ wizard }: { wizard: Wizard }) {
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

/** The countdown uses a monotonic clock and whole seconds. */
function useCountdown(first: () => number): [seconds: number, waitFor: (seconds: number) => void] {
  const [{ now, end }, setTime] = useState(() => startCountdown(first()));
  const seconds = Math.max(0, Math.ceil((end - now) / 1_000));
  const isOver = seconds === 0;
  useEffect(() => {
    if (isOver) return;
    const timer = setInterval(() => setTime((time) => ({ ...time, now: readClock() })), 1_000);
    return () => clearInterval(timer);
  }, [isOver]);
  return [seconds, (wait) => setTime(startCountdown(wait))];
}

function startCountdown(seconds: number): { now: number; end: number } {
  const now = readClock();
  return { now, end: now + seconds * 1_000 };
}

/** Whole milliseconds. With fractions, rounding could make 30 seconds a little more, which would be shown as 31. */
const readClock = () => Math.round(performance.now());

function ConfirmStep({ wizard }: { wizard: Wizard }) {
  const { draft, edit, next, back } = wizard;
  const { isSending, failure, send } = useSending(wizard, next);
  const invitees = getInvitees(draft);
  const lead = useRef<HTMLParagraphElement>(null);
  const remove = (address: string) => {
    flushSync(() => edit(withoutInvitee(draft, address)));
    // The focused button has disappeared.
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
