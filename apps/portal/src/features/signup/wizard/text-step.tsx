import { TextInput, type TextInputProps } from '@mantine/core';
import { EMAIL_MAX, SIGNUP_HOURS, TEAM_NAME_MAX } from '@steward/contract/api/limits';
import { type FormEvent, useState } from 'react';
import frame from '#workspace/page/card.module.css';
import { emailProblem, teamProblem } from './signup.form.ts';
import { isButton, StepButtons } from './step-parts.tsx';
import type { Wizard } from './wizard.ts';

/** Step 1 of the wizard (spec §2). */
export function TeamStep({ wizard: { draft, edit, next } }: { wizard: Wizard }) {
  return (
    <TextStep
      label="Company or team name"
      description="Everybody in the team sees it, and so do the people you invite."
      autoComplete="organization"
      maxLength={TEAM_NAME_MAX}
      value={draft.team_name}
      problem={teamProblem(draft.team_name)}
      onText={(team_name) => edit({ team_name })}
      onNext={next}
    />
  );
}

/** Step 2. Not of type email: browsers rewrite what is typed there, and the checking here says more. */
export function OwnerStep({ wizard: { draft, edit, next, back } }: { wizard: Wizard }) {
  return (
    <TextStep
      label="Owner email"
      description={`We send a link there, which works for ${SIGNUP_HOURS} hours. Whoever opens it owns the team.`}
      inputMode="email"
      autoComplete="email"
      autoCapitalize="none"
      maxLength={EMAIL_MAX}
      value={draft.owner_email}
      problem={emailProblem(draft.owner_email)}
      onText={(owner_email) => edit({ owner_email })}
      onNext={next}
      onBack={back}
    />
  );
}

interface TextStepProps extends TextInputProps {
  value: string;
  problem: string | undefined;
  onText: (text: string) => void;
  onNext: () => void;
  onBack?: () => void;
}

/** One question. Going on is off until the answer is right (spec §5); why, is said to whoever tries or moves on. */
function TextStep({ value, problem, onText, onNext, onBack, ...input }: TextStepProps) {
  const [hasSubmitted, setHasSubmitted] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onNext();
  };
  return (
    <form noValidate className={frame.form} onSubmit={submit}>
      <TextInput
        autoFocus
        spellCheck={false}
        {...input}
        value={value}
        error={hasSubmitted && problem}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        onBlur={({ relatedTarget }) => {
          // A line that appears while a button is pressed would push it away from under the pointer.
          if (value.trim() !== '' && !isButton(relatedTarget)) setHasSubmitted(true);
        }}
        onKeyDown={({ key }) => key === 'Enter' && setHasSubmitted(true)}
      />
      <StepButtons isDisabled={problem !== undefined} {...(onBack !== undefined && { onBack })} />
    </form>
  );
}
