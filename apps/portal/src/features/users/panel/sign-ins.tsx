import type { SignIn } from '@steward/contract/users/sign-ins';
import { Icon } from '#platform/page/icon.tsx';
import { Timestamp } from '#platform/time/timestamp.tsx';
import { OUTCOMES } from '../sign-ins/sign-in-text.ts';
import classes from './panel.module.css';

/** The last sign-ins of a user, successful and refused. */
export function SignIns({ signIns }: { signIns: readonly SignIn[] }) {
  if (signIns.length === 0) return <p className={classes.note}>No sign-ins recorded.</p>;
  return (
    <ul className={classes.list}>
      {signIns.map(({ id, at, outcome, device, address }) => (
        <li key={id} className={classes.item}>
          <Icon name={outcome === 'ok' ? 'check' : 'warning'} size={16} />
          <span className={classes.itemText}>
            {OUTCOMES[outcome].label}
            <small>
              <Timestamp at={at} />, {device}, <bdi>{address}</bdi>
            </small>
          </span>
        </li>
      ))}
    </ul>
  );
}
