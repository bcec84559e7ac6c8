import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import classes from './home.module.css';

const SHORTCUTS: readonly { to: string; label: string; text: string; icon: IconName }[] = [
  { to: '/users/users', label: 'Manage Users', text: 'Users, invitations and sessions', icon: 'people' },
  {
    to: '/users/company_directory',
    label: 'Company Directory',
    text: 'Names, phone numbers and email addresses',
    icon: 'book',
  },
  {
    to: '/dashboard/team_settings/retention',
    label: 'Retention',
    text: 'How long content is kept',
    icon: 'archive',
  },
  {
    to: '/dashboard/team_settings/default_channels',
    label: 'Default Channels',
    text: 'Channels new members join automatically',
    icon: 'hash',
  },
  { to: '/dashboard/integrations', label: 'Integrations', text: 'Post Zendesk tickets to channels', icon: 'plug' },
  { to: '/dashboard/audit_log', label: 'Audit Log', text: 'Who changed what, and when', icon: 'shield' },
];

/** Links to the main screens. */
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
