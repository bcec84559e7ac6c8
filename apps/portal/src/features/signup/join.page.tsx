import { Button, TextInput } from '@mantine/core';
import { askToJoin, checkInvitationLink } from '@steward/contract/users/invitation-links';
import { useMutation, useQuery } from '@tanstack/react-query';
import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { type FormEvent, useEffect, useState } from 'react';
import type { Failure } from '#platform/api/failure.ts';
import { mutationOptionsFor, queryOptionsFor } from '#platform/api/queries.ts';
import { Loading } from '#platform/feedback/loading.tsx';
import classes from '#workspace/page/card.module.css';
import { Card, FormError } from '#workspace/page/card.tsx';
import { clearEmailedToken, getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';

export const Route = createFileRoute('/join')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload || !takeEmailedToken('join', searchStr)) return;
    throw redirect({ to: '/join', search: {}, replace: true });
  },
  component: JoinPage,
});

function JoinPage() {
  const [token] = useState(() => getEmailedToken('join'));
  if (token !== null) return <Join token={token} />;
  return (
    <Card title="Join a team">
      <p className={classes.text}>Open the invitation link again, or scan its QR code.</p>
      <SignInFoot />
    </Card>
  );
}

function Join({ token }: { token: string }) {
  const check = { ...queryOptionsFor(checkInvitationLink, { body: { token } }), gcTime: 0, staleTime: 0 };
  const { data, error, refetch } = useQuery({ ...check, refetchOnWindowFocus: false });
  const [sentTo, setSentTo] = useState<string>();
  const hasEnded = error?.id === 'join.link_ended';
  useEffect(() => {
    if (hasEnded) clearEmailedToken('join');
  }, [hasEnded]);
  if (sentTo !== undefined) return <Sent email={sentTo} onAgain={() => setSentTo(undefined)} />;
  if (error !== null) return <Ended failure={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return <EmailForm token={token} link={data} onSent={setSentTo} />;
}

function Ended({ failure: { id, message }, onRetry }: { failure: Failure; onRetry: () => void }) {
  const hasEnded = id === 'join.link_ended';
  return (
    <Card title="Join a team">
      <FormError>{message}</FormError>
      {!hasEnded && (
        <Button mt={16} fullWidth onClick={onRetry}>
          Retry
        </Button>
      )}
      <SignInFoot />
    </Card>
  );
}

interface EmailFormProps {
  token: string;
  link: { team_name: string; domains: readonly string[] };
  onSent: (email: string) => void;
}

function EmailForm({ token, link: { team_name, domains }, onSent }: EmailFormProps) {
  const { mutate, isPending, error } = useMutation({ ...mutationOptionsFor(askToJoin), gcTime: 0 });
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get('email')).trim();
    mutate(
      { body: { token, email } },
      {
        onSuccess: () => onSent(email),
        onError: ({ id }) => {
          if (id === 'join.link_ended') clearEmailedToken('join');
        },
      },
    );
  };
  return (
    <Card title={`Join ${team_name}`}>
      <p className={classes.text}>
        Enter your email address, and we'll send you an invitation to join the team.
        {domains.length > 0 && (
          <>
            {' '}
            It has to be an address of <bdi>{domains.join(' or ')}</bdi>.
          </>
        )}
      </p>
      <form className={classes.form} onSubmit={submit}>
        {error !== null && !isPending && <FormError>{error.message}</FormError>}
        <TextInput
          label="Email"
          name="email"
          type="email"
          autoComplete="email"
          required
          withAsterisk={false}
          autoFocus
        />
        <Button type="submit" loading={isPending} fullWidth>
          Send invitation
        </Button>
      </form>
      <SignInFoot />
    </Card>
  );
}

/** The text is the same for every address, so that it doesn't reveal who has an account or is a member. */
function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  return (
    <Card title="Check your email" isTitleFocused>
      <p className={classes.text} role="status">
        If <strong>{email}</strong> can join with this link, we've sent an invitation there. Open it to join. If none
        arrives within a few minutes, you may be a member already: sign in, or ask an admin of the team.
      </p>
      <p className={classes.foot}>
        <button type="button" className={classes.link} onClick={onAgain}>
          Use another address
        </button>
      </p>
      <SignInFoot />
    </Card>
  );
}

function SignInFoot() {
  return (
    <p className={classes.foot}>
      Have an account?{' '}
      <Link to="/login" className={classes.link}>
        Sign in
      </Link>
    </p>
  );
}
