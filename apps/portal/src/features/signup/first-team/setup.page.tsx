import { createFileRoute, Link, redirect } from '@tanstack/react-router';
import { useState } from 'react';
import { productName } from '#platform/product/product.ts';
import frame from '#workspace/page/card.module.css';
import { Card } from '#workspace/page/card.tsx';
import { getEmailedToken, takeEmailedToken } from '#workspace/session/emailed-token.ts';
import { SetUpForm } from './setup-form.tsx';

export const Route = createFileRoute('/setup')({
  beforeLoad: ({ location: { searchStr }, preload }) => {
    if (preload || !takeEmailedToken('setup', searchStr)) return;
    throw redirect({ to: '/setup', search: {}, replace: true });
  },
  component: SetUpPage,
});

/** Creates the first team of a server with the link that it prints when it starts. */
function SetUpPage() {
  const [token] = useState(() => getEmailedToken('setup'));
  return (
    <Card title={`Set up ${productName()}`} isWide isTitleFocused={token === null}>
      <p className={frame.text}>
        {token === null
          ? 'This page needs the set-up link that the server prints when it starts. To get a new one, restart the server.'
          : 'Create the first team of this server. You become its owner.'}
      </p>
      {token !== null && <SetUpForm token={token} />}
      <p className={frame.foot}>
        {token === null ? 'Is there a team already?' : 'Have an account?'}{' '}
        <Link to="/login" className={frame.link}>
          Sign in
        </Link>
      </p>
    </Card>
  );
}
