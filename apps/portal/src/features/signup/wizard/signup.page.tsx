import { createFileRoute, Link, Navigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { getSignUpAccess } from '#platform/product/sign-up-access.ts';
import frame from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import { ConfirmStep } from './confirm-step.tsx';
import { DoneStep } from './done-step.tsx';
import { InviteStep } from './invite-step.tsx';
import { ReviewStep } from './review-step.tsx';
import type { Step } from './signup.form.ts';
import { StepProgress } from './step-parts.tsx';
import { OwnerStep, TeamStep } from './text-step.tsx';
import { toSearch, useWizard, type Wizard } from './wizard.ts';

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

/** Steps without a field to focus. */
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
