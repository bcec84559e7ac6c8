import { Box, Button, CloseButton } from '@mantine/core';
import { ALERT_MS } from '@steward/contract/api/limits';
import { Check, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { type Failure, getFailureMessage } from '#platform/api/failure.ts';
import { FileLink } from '#platform/files/file-link.tsx';
import { useStore } from '#platform/store.ts';
import { type AlertMessage, addAlert, dismissAlert, ERROR_TITLE, type ShownAlert, shownAlerts } from './alert-list.ts';
import classes from './alerts.module.css';

/** A message is visible until it is dismissed, for 4 seconds at most. */
export function showAlert(message: AlertMessage): void {
  addAlert(message);
}

export function showSuccess(text: string): void {
  addAlert({ kind: 'success', text });
}

export function showFailure({ message }: { message: string }): void {
  addAlert({ kind: 'error', text: message });
}

/** Callbacks of a change: an alert says how it ended, and the dialog that asked for it closes. */
export function closeWithAlert(
  success: string,
  onClose: () => void,
  toMessage: (failure: Failure) => string = getFailureMessage,
) {
  return {
    onSuccess: () => showSuccess(success),
    onError: (failure: Failure) => showFailure({ message: toMessage(failure) }),
    onSettled: onClose,
  };
}

/** Rendered once, above everything else. Errors interrupt a screen reader, and successes wait. */
export function Alerts() {
  const alerts = useStore(shownAlerts);
  return (
    <div className={classes.stack}>
      {alerts
        .filter(({ kind }) => kind === 'error')
        .map((alert) => (
          <div key={alert.key} role="alert">
            <AlertCard alert={alert} />
          </div>
        ))}
      <div role="status" className={classes.cards}>
        {alerts
          .filter(({ kind }) => kind === 'success')
          .map((alert) => (
            <AlertCard key={alert.key} alert={alert} />
          ))}
      </div>
    </div>
  );
}

function AlertCard({ alert }: { alert: ShownAlert }) {
  const { key, kind, text, file, action } = alert;
  const title = alert.title ?? (kind === 'error' ? ERROR_TITLE : undefined);
  const [hovered, setHovered] = useState(false);
  const [focused, setFocused] = useState(false);
  const isHeld = hovered || focused;
  const Mark = kind === 'error' ? TriangleAlert : Check;

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => dismissAlert(key), ALERT_MS);
    return () => clearTimeout(timer);
  }, [isHeld, key]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only keeps the message open
    <div
      className={classes.card}
      data-kind={kind}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <Mark className={classes.mark} size={18} strokeWidth={1.75} aria-hidden="true" />
      <Box flex={1} miw={0} style={{ overflowWrap: 'anywhere' }}>
        {title !== undefined && <div className={classes.title}>{title}</div>}
        <div>{text}</div>
        {file !== undefined && (
          <FileLink file={file.content} fileName={file.name}>
            {file.label}
          </FileLink>
        )}
      </Box>
      {action !== undefined && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            dismissAlert(key);
            action.run();
          }}
        >
          {action.label}
        </Button>
      )}
      <CloseButton size="sm" aria-label="Dismiss" onClick={() => dismissAlert(key)} />
    </div>
  );
}
