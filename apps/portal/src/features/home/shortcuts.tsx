import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import classes from './home.module.css';

const SHORTCUTS: readonly { to: string; label: string; text: string; icon: IconName }[] = [
  { to: '/users/users', label: 'Manage Users', text: 'People, invitations and sessions', icon: 'people' },
  { to: '/users/company_directory', label: 'Company Directory', text: 'Names, numbers and addresses', icon: 'book' },
  {
    to: '/dashboard/team_settings/retention',
    label: 'Retention',
    text: 'What is kept, and for how long',
    icon: 'archive',
  },
  {
    to: '/dashboard/team_settings/default_channels',
    label: 'Default Channels',
    text: 'Where new people begin',
    icon: 'hash',
  },
  { to: '/dashboard/integrations', label: 'Integrations', text: 'The help desk and its messages', icon: 'plug' },
  { to: '/dashboard/audit_log', label: 'Audit Log', text: 'Who changed what, and when', icon: 'shield' },
];

/** The ways to the main screens. */
export function Shortcuts() {
  return (
    <section className={classes.section} aria-labelledby="go-to">
      <h2 id="go-to" className={classes.heading}>
        Go to
      </h2>
      <ul className={classes.shortcuts}>
        {SHORTCUTS.map(({ to, label, text, icon }) => (
          <li key={to}>
            <Link className={classes.shortcut} to={to}>
              <span className={classes.quiet}>
                <Icon name={icon} />
              </span>
              <span className={classes.words}>
                <span className={classes.sentence}>{label}</span>
                <span className={classes.more}>{text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
