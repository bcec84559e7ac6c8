import { getMe } from '@steward/contract/session';
import { fullName } from '@steward/contract/users/names';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { queryOptionsFor } from '#platform/api/queries.ts';
import { AccountName } from '#workspace/page/account-name.tsx';
import classes from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import type { EmailedLink } from './emailed-token.ts';
import { canSignInWithCookie } from './session.ts';
import { SwitchAccount } from './switch-account.tsx';

interface Account {
  name: string;
  email: string;
}

interface OtherAccountProps {
  /** The link, to be opened by the account that it is for. */
  link?: EmailedLink;
  signedInAs: Account;
  onSignedOut: () => Promise<void>;
  /** A sentence that says for whom and for what the link is. */
  children: ReactNode;
}

/** The reader of an email may be signed in with another account, and must not act for the wrong one. */
export function OtherAccount({ link, signedInAs, onSignedOut, children }: OtherAccountProps) {
  return (
    <Card title="This link is for another account" isTitleFocused>
      <p className={classes.text}>
        {children} You are signed in as <AccountName {...signedInAs} />.
      </p>
      <p className={classes.text}>
        To use the link, switch accounts: you will be signed out of this one. Otherwise close this page, and nothing
        changes.
      </p>
      <SwitchAccount {...(link !== undefined && { link })} onSignedOut={onSignedOut}>
        Sign out and continue
      </SwitchAccount>
      <p className={classes.foot}>
        <Link to="/" className={classes.link}>
          Stay signed in
        </Link>
      </p>
    </Card>
  );
}

/** The account of the session if it isn't the one of `email`, null if it is or there is none, undefined until that is known. */
export function useOtherAccount(email: string | undefined): Account | null | undefined {
  const isSignedIn = canSignInWithCookie();
  const { data, error } = useQuery({
    ...queryOptionsFor(getMe, {}),
    enabled: isSignedIn && email !== undefined,
    retry: false,
  });
  if (!isSignedIn || error !== null) return null;
  if (data === undefined || email === undefined) return undefined;
  return data.email === email ? null : { name: fullName(data), email: data.email };
}
