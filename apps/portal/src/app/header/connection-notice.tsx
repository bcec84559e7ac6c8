import { useSyncExternalStore } from 'react';
import { type Connection, connection, subscribeToConnection } from '#platform/api/connection.ts';
import { Icon } from '#platform/page/icon.tsx';
import classes from './connection-notice.module.css';

const TEXTS: Record<Connection, string | undefined> = {
  online: undefined,
  offline: 'You’re offline. Reconnecting automatically…',
  unreachable: 'Can’t reach the server. Reconnecting automatically…',
};

/** Says that there is no connection; it goes away when there is one again. */
export function ConnectionNotice() {
  const text = TEXTS[useSyncExternalStore(subscribeToConnection, connection)];
  return (
    <div role="status" className={classes.place}>
      {text !== undefined && (
        <p className={classes.notice}>
          <Icon name="offline" size={16} />
          {text}
        </p>
      )}
    </div>
  );
}
