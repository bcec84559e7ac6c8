import { Link, useLocation } from '@tanstack/react-router';
import { useId } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { NAVIGATION, type NavGroup, type NavItem } from './navigation.ts';
import classes from './sidebar.module.css';

interface Follow {
  /** Lets the drawer of a phone close when a link was followed. */
  onFollow?: (() => void) | undefined;
}

/** The links of the portal. */
export function Sidebar({ onFollow }: Follow) {
  return (
    <nav aria-label="Main" className={classes.nav}>
      <ul className={classes.list}>
        <Item item={{ to: '/', label: 'Home', icon: 'home' }} onFollow={onFollow} />
      </ul>
      {NAVIGATION.map((group) => (
        <Group key={group.label} group={group} onFollow={onFollow} />
      ))}
    </nav>
  );
}

function Group({ group, onFollow }: Follow & { group: NavGroup }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className={classes.group}>
        {group.label}
      </h2>
      <ul className={classes.list}>
        {group.items.map((item) => (
          <Item key={item.to} item={item} onFollow={onFollow} />
        ))}
      </ul>
    </section>
  );
}

function Item({ item, onFollow }: Follow & { item: NavItem }) {
  const { pathname } = useLocation();
  const { to, label, icon, isAhead, within = [], children = [] } = item;
  const isOpen = [item, ...children].some((link) => link.to === pathname);
  return (
    <li>
      <Link
        to={to}
        className={classes.link}
        activeOptions={{ exact: true, includeSearch: false }}
        data-ahead={isAhead}
        aria-current={within.some((start) => pathname.startsWith(start)) || undefined}
        onClick={onFollow}
      >
        <Icon name={icon} />
        <span>{label}</span>
      </Link>
      {isOpen && children.length > 0 && (
        <ul className={`${classes.list} ${classes.below}`}>
          {children.map((link) => (
            <li key={link.to}>
              <Link
                to={link.to}
                className={classes.link}
                activeOptions={{ exact: true, includeSearch: false }}
                onClick={onFollow}
              >
                {link.label}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
