import { TextInput, type TextInputProps } from '@mantine/core';
import { EMAIL_MAX, SIGNUP_HOURS, TEAM_NAME_MAX } from '@steward/contract/api/limits';
import { type FormEvent, type ReactNode, useState } from 'react';
import { TimeZoneField } from '#platform/forms/time-zone-field.tsx';
import frame from '#workspace/page/card.module.css';
import { emailProblem, teamProblem } from './signup.form.ts';
import { isButton, StepButtons } from './step-parts.tsx';
import type { Wizard } from './wizard.ts';

export function TeamStep({ wizard: { draft, edit, next } }: { wizard: Wizard }) {
  return (
    <TextStep
      label="Company or team name"
      description="Everyone in the team and everyone you invite will see it."
      autoComplete="organization"
      maxLength={TEAM_NAME_MAX}
      value={draft.team_name}
      problem={teamProblem(draft.team_name)}
      onText={(team_name) => edit({ team_name })}
      onNext={next}
    >
      <TimeZoneField
        description="Days of the team begin and end there. An owner can change it later."
        value={draft.time_zone}
        onChange={(time_zone) => edit({ time_zone })}
      />
    </TextStep>
  );
}

/** The field isn't of type email: browsers rewrite such input, and our messages are more precise. */
export function OwnerStep({ wizard: { draft, edit, next, back }, isLimited }: { wizard: Wizard; isLimited: boolean }) {
  const which = isLimited ? 'Only addresses of certain domains can sign up on this server. ' : '';
  return (
    <TextStep
      label="Owner email"
      description={`${which}We'll send a link to this address, valid for ${SIGNUP_HOURS} hours. The person who opens it becomes the team owner.`}
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
  /** Fields that have an answer already. */
  children?: ReactNode;
}

/** Continue is disabled until the answer is valid; the reason is shown on Enter or when leaving the field. */
function TextStep({ value, problem, onText, onNext, onBack, children, ...input }: TextStepProps) {
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
          // An error that appears while a button is pressed would move the button away from the pointer.
          if (value.trim() !== '' && !isButton(relatedTarget)) setHasSubmitted(true);
        }}
        onKeyDown={({ key }) => key === 'Enter' && setHasSubmitted(true)}
      />
      {children}
      <StepButtons isDisabled={problem !== undefined} {...(onBack !== undefined && { onBack })} />
    </form>
  );
}
