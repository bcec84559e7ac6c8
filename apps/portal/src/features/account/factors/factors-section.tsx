import type { Factors } from '@steward/contract/factors/factors';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { toSafePath } from '#platform/product/safe-path.ts';
import frame from '#workspace/page/card.module.css';
import { FormNotice } from '#workspace/page/card.tsx';
import classes from '../account.module.css';
import { Loaded, Section } from '../section.tsx';
import { factorsQueryOptions } from './factors.queries.ts';
import { PasskeyList } from './passkey-list.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import { RecoveryCodesDialog } from './recovery-codes-dialog.tsx';
import { TotpRow } from './totp-row.tsx';

/** The second factors of the user: an authenticator app, passkeys and recovery codes. */
export function FactorsSection() {
  const factors = useQuery(factorsQueryOptions);
  return (
    <div id="second-factors">
      <Section
        title="Two-factor authentication"
        description="With a second factor, a stolen password isn't enough to sign in to your account."
      >
        <Loaded {...factors}>{(loaded) => <Parts factors={loaded} />}</Loaded>
      </Section>
    </div>
  );
}

function Parts({ factors }: { factors: Factors }) {
  // Shown once, whichever factor they came with.
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [areOpen, setOpen] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const show = (next: readonly string[]) => {
    if (next.length === 0) return;
    setCodes(next);
    setOpen(true);
  };
  const hasFactor = factors.totp || factors.passkeys.length > 0;
  return (
    <>
      {hasFactor && <WayBack />}
      <div ref={list} tabIndex={-1} style={{ outline: 'none' }}>
        <ul className={classes.list}>
          <TotpRow fallback={list} isSetUp={factors.totp} onCodes={show} />
          <PasskeyList fallback={list} factors={factors} onCodes={show} />
          {hasFactor && <RecoveryCodes fallback={list} left={factors.recovery_codes_left} onCodes={show} />}
        </ul>
      </div>
      <RecoveryCodesDialog codes={codes} opened={areOpen} onClose={() => setOpen(false)} />
    </>
  );
}

/** Leads back to the team that required a second factor. */
function WayBack() {
  const from = toSafePath(useLocation().state.from);
  if (from === undefined) return null;
  return (
    <div style={{ marginBottom: 16 }}>
      <FormNotice>
        Your second factor is set up.{' '}
        <Link to={from} className={frame.link}>
          Go back to your team
        </Link>
      </FormNotice>
    </div>
  );
}
