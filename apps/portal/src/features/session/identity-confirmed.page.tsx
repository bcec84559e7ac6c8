import { createFileRoute, useLocation } from '@tanstack/react-router';
import { useEffect } from 'react';
import classes from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import { announceConfirmation } from '#workspace/session/step-up/provider-confirmation.ts';
import { readSsoErrorId, SsoError } from './sso-error.tsx';

export const Route = createFileRoute('/identity_confirmed')({ component: IdentityConfirmedPage });

/** The identity provider redirects to this page. The server still refuses a tab that wasn't confirmed, no matter what this page shows. */
function IdentityConfirmedPage() {
  const errorId = useLocation({ select: ({ searchStr }) => readSsoErrorId(searchStr) });
  return errorId === null ? <Confirmed /> : <Failed errorId={errorId} />;
}

function Confirmed() {
  // This returns to the waiting tab. Browsers allow it only in a tab that was opened from there.
  useEffect(() => announceConfirmation(() => window.close()), []);
  return (
    <Card title="You're confirmed" isTitleFocused>
      <p className={classes.text}>Close this tab and go back to where you were.</p>
    </Card>
  );
}

/** The other tab still waits, and offers the provider again. */
function Failed({ errorId }: { errorId: string }) {
  return (
    <Card title="You weren't confirmed" isTitleFocused>
      <div className={classes.form}>
        <SsoError id={errorId} />
        <p className={classes.text}>Nothing was changed. Close this tab and try again where you were.</p>
      </div>
    </Card>
  );
}
