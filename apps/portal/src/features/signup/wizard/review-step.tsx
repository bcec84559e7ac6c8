import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import frame from '#workspace/page/card.module.css';
import classes from '../signup.module.css';
import { type Step, toRequest } from './signup.form.ts';
import { StepButtons } from './step-parts.tsx';
import { toSearch, type Wizard } from './wizard.ts';

/** Step 4: all answers as they will be sent, each with a link to edit it. */
export function ReviewStep({ wizard: { draft, next, back } }: { wizard: Wizard }) {
  const { team_name, owner_email, invitees } = toRequest(draft);
  return (
    <>
      <dl className={classes.list}>
        <Answer name="Company or team name" step="team">
          {team_name}
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
