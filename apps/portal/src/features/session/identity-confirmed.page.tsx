import { createFileRoute } from '@tanstack/react-router';
import { useEffect } from 'react';
import classes from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import { announceConfirmation } from '#workspace/session/step-up/provider-confirmation.ts';

export const Route = createFileRoute('/identity_confirmed')({ component: IdentityConfirmedPage });

/** Where the identity provider leads back to. A tab that wasn't confirmed is refused again, whatever this page says. */
function IdentityConfirmedPage() {
  useEffect(announceConfirmation, []);
  return (
    <Card title="You're confirmed" isTitleFocused>
      <p className={classes.text}>Close this tab and go back to where you were.</p>
    </Card>
  );
}
