import { Icon } from '#platform/page/icon.tsx';
import classes from './sessions.module.css';

/** A telephone or a screen, by the words for the device. */
export function DeviceIcon({ device }: { device: string }) {
  return (
    <span className={classes.icon}>
      <Icon name={/iOS|Android/.test(device) ? 'phone' : 'screen'} />
    </span>
  );
}
