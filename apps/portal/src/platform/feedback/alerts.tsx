import { Button, CloseButton } from '@mantine/core';
import { ALERT_MS } from '@steward/contract/api/limits';
import { Check, TriangleAlert } from 'lucide-react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { FileLink } from '#platform/files/file-link.tsx';
import {
  type AlertMessage,
  addAlert,
  dismissAlert,
  ERROR_TITLE,
  type ShownAlert,
  shownAlerts,
  subscribeToAlerts,
} from './alert-list.ts';
import classes from './alerts.module.css';

/** Shows a message until it is dismissed or 4 seconds are over (spec §4). */
export function showAlert(message: AlertMessage): void {
  addAlert(message);
}

/** The place where messages appear; rendered once, above everything else. Errors interrupt a screen reader, successes wait. */
export function Alerts() {
  const alerts = useSyncExternalStore(subscribeToAlerts, shownAlerts);
  return (
    <div className={classes.stack}>
      {alerts
        .filter(({ kind }) => kind === 'error')
        .map((alert) => (
          <div key={alert.key} role="alert">
            <AlertCard alert={alert} />
          </div>
        ))}
      <div role="status" className={classes.successes}>
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
  const held = hovered || focused;
  const Mark = kind === 'error' ? TriangleAlert : Check;

  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissAlert(key), ALERT_MS);
    return () => clearTimeout(timer);
  }, [held, key]);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: hovering only holds the message; nothing is done by it
    <div
      className={classes.card}
      data-kind={kind}
      onMouseEnter={() => setHovered(true)}
      onMouseLeave={() => setHovered(false)}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
    >
      <span className={classes.mark}>
        <Mark size={18} strokeWidth={1.75} aria-hidden="true" />
      </span>
      <div className={classes.words}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        <p className={classes.text}>{text}</p>
        {file !== undefined && (
          <FileLink file={file.content} fileName={file.name}>
            {file.label}
          </FileLink>
        )}
      </div>
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
