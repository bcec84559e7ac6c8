import { Button, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { DialogButtons } from '#platform/dialogs/dialog-buttons.tsx';
import { Named, type NamedPerson } from '../person-name.tsx';
import { DeviceIcon, SessionDetails, SignedOut } from './session-list.tsx';
import classes from './sessions.module.css';
import type { Receipt } from './sessions.queries.ts';

interface SessionReceiptProps {
  person: NamedPerson;
  receipt: Receipt;
  onClose: () => void;
}

/** The sessions that were revoked, shown in place of the question. */
export function SessionReceipt({ person, receipt, onClose }: SessionReceiptProps) {
  const close = useRef<HTMLButtonElement>(null);
  // The focused button disappeared with the question.
  useEffect(() => close.current?.focus(), []);
  return (
    <>
      <Text c="dimmed" mb={16} style={{ overflowWrap: 'anywhere' }}>
        <Named person={person} /> was signed out of {receipt.length === 1 ? '1 device' : `${receipt.length} devices`}:
      </Text>
      <ul className={classes.list} aria-label="Revoked sessions">
        {receipt.map(({ device, address }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a receipt never changes, and two of its lines may be equal
          <li key={at} className={classes.session}>
            <DeviceIcon device={device} />
            <SessionDetails device={device} address={address} />
            <SignedOut />
          </li>
        ))}
      </ul>
      <DialogButtons>
        <Button ref={close} variant="default" onClick={onClose}>
          Close
        </Button>
      </DialogButtons>
    </>
  );
}
