import { Button, Group, Text } from '@mantine/core';
import type { Factors } from '@steward/contract/factors/factors';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from '@tanstack/react-router';
import { type RefObject, Suspense, useRef, useState } from 'react';
import { ConfirmDialog } from '#platform/dialogs/confirm-dialog.tsx';
import { Dialog, type DialogControls } from '#platform/dialogs/dialog.tsx';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { useDialogState } from '#platform/dialogs/dialog-state.ts';
import { closeWithAlert, showAlert, showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { saveFile } from '#platform/files/save-file.ts';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import { toSafePath } from '#platform/product/safe-path.ts';
import frame from '#workspace/page/card.module.css';
import { FormNotice } from '#workspace/page/card.tsx';
import account from '../account.module.css';
import { Loaded, Section } from '../section.tsx';
import { FactorRow } from './factor-row.tsx';
import classes from './factors.module.css';
import { factorsQueryOptions, useRemoveTotp, useRenewRecoveryCodes } from './factors.queries.ts';
import { PasskeyList } from './passkey-list.tsx';

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
  // The codes are shown only once, no matter which factor they came with.
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
        <ul className={account.list}>
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

// The dialog is loaded on demand because it includes the QR code library.
const TotpDialog = lazyComponent(async () => (await import('./totp-dialog.tsx')).TotpDialog);

interface TotpRowProps {
  isSetUp: boolean;
  /** This element gets the focus if the control that opened a dialog has disappeared. */
  fallback: RefObject<HTMLElement | null>;
  onCodes: (codes: readonly string[]) => void;
}

function TotpRow({ isSetUp, fallback, onCodes }: TotpRowProps) {
  const { current, open, close } = useDialogState<'set_up' | 'remove', never>('set_up', fallback);
  const finish = (codes: readonly string[]) => {
    close();
    showSuccess('Your authenticator app is set up');
    onCodes(codes);
  };
  return (
    <>
      <FactorRow
        title="Authenticator app"
        text={
          isSetUp ? 'Set up. You enter a code of it when you sign in.' : 'An app that shows a new code every 30 seconds'
        }
        action={isSetUp ? 'Remove' : 'Set up'}
        onAction={() => open(isSetUp ? 'remove' : 'set_up')}
      />
      {current.time > 0 &&
        (current.what === 'remove' ? (
          <RemoveTotp key={current.time} opened={current.opened} onClose={close} />
        ) : (
          <Suspense fallback={null}>
            <TotpDialog key={current.time} opened={current.opened} onClose={close} onDone={finish} />
          </Suspense>
        ))}
    </>
  );
}

function RemoveTotp({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { mutate, isPending } = useRemoveTotp();
  const remove = () => mutate({}, closeWithAlert('Your authenticator app was removed', onClose));
  return (
    <ConfirmDialog
      opened={opened}
      title="Remove authenticator app"
      question="Remove your authenticator app?"
      detail="Its codes stop working. Without a passkey, your password alone will open your account, and recovery codes end too."
      confirmLabel="Remove"
      danger
      pending={isPending}
      onConfirm={remove}
      onClose={onClose}
    />
  );
}

interface RecoveryCodesProps {
  left: number;
  /** This element gets the focus if the control that opened a dialog has disappeared. */
  fallback: RefObject<HTMLElement | null>;
  onCodes: (codes: readonly string[]) => void;
}

function RecoveryCodes({ left, fallback, onCodes }: RecoveryCodesProps) {
  const { current, open, close } = useDialogState<'renew', never>('renew', fallback);
  const { mutate, isPending } = useRenewRecoveryCodes();
  const renew = () =>
    mutate(
      {},
      {
        onSuccess: ({ recovery_codes }) => onCodes(recovery_codes),
        onError: showFailure,
        onSettled: close,
      },
    );
  return (
    <>
      <FactorRow title="Recovery codes" text={toText(left)} action="Create new codes" onAction={() => open('renew')} />
      <ConfirmDialog
        opened={current.opened}
        onClose={close}
        title="Create new recovery codes"
        question="Replace your recovery codes?"
        detail="The codes that you have now stop working."
        confirmLabel="Create new codes"
        pending={isPending}
        onConfirm={renew}
      />
    </>
  );
}

function toText(left: number): string {
  if (left === 0) return 'None left. Create new ones, or you may lose access to your account.';
  return left === 1 ? '1 code left. Each works once.' : `${left} codes left. Each works once.`;
}

interface RecoveryCodesDialogProps extends DialogControls {
  codes: readonly string[];
}

/** The codes are never shown again, so only the dialog's button closes it. */
function RecoveryCodesDialog({ codes, opened, onClose }: RecoveryCodesDialogProps) {
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => showSuccess('Recovery codes copied'),
      () => showAlert({ kind: 'error', text: "Couldn't copy the recovery codes" }),
    );
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title="Save your recovery codes"
      closable={false}
      width={480}
      returnFocus={false}
    >
      <Text>
        If you lose your second factor, each of these codes signs you in once. Keep them in a safe place, such as a
        password manager. They won't be shown again.
      </Text>
      <ul className={classes.codes} aria-label="Recovery codes">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group gap={8}>
        <Button variant="default" leftSection={<Icon name="copy" size={16} />} onClick={() => void copy()}>
          Copy
        </Button>
        <Button variant="default" leftSection={<Icon name="download" size={16} />} onClick={() => download(codes)}>
          Download
        </Button>
      </Group>
      <DialogButtons>
        <Button data-autofocus onClick={onClose}>
          I've saved them
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

function download(codes: readonly string[]): void {
  const lines = [`Recovery codes for ${productName()} at ${location.origin}`, 'Each works once.', '', ...codes, ''];
  saveFile(new Blob([lines.join('\n')], { type: 'text/plain' }), 'recovery-codes.txt');
}
