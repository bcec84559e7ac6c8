import { Box, Group, Stack, UnstyledButton } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useId, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { stored } from '#platform/storage/browser-storage.ts';
import { findGuideSection, GUIDE_PAGE, NAVIGATION, type NavGroup, type NavItem } from '../navigation.ts';
import { openShortcuts } from './shortcuts.ts';
import classes from './sidebar.module.css';

interface NavigateProps {
  /** The drawer of a phone closes after navigation. */
  onNavigate?: (() => void) | undefined;
}

export function Sidebar({ onNavigate }: NavigateProps) {
  return (
    <>
      {/* Only the entries scroll. A footer over them would hide the one that has the focus. */}
      <Stack
        renderRoot={(props) => <nav {...props} />}
        aria-label="Main"
        gap={3}
        p={12}
        mih={0}
        style={{ overflowY: 'auto' }}
      >
        <ul className={classes.list}>
          <Item item={{ to: '/', label: 'Home', icon: 'home' }} onNavigate={onNavigate} />
        </ul>
        {NAVIGATION.map((group) => (
          <SidebarGroup key={group.label} group={group} onNavigate={onNavigate} />
        ))}
      </Stack>
      <HelpLinks onNavigate={onNavigate} />
    </>
  );
}

/** Labels of the groups that are collapsed in this browser. */
const closedGroups = stored('sidebar.closed');

function SidebarGroup({ group, onNavigate }: NavigateProps & { group: NavGroup }) {
  const id = useId();
  const [isClosed, setClosed] = useState(() => readClosed().includes(group.label));
  const toggle = () => {
    const others = readClosed().filter((label) => label !== group.label);
    closedGroups.write(JSON.stringify(isClosed ? others : [...others, group.label]));
    setClosed(!isClosed);
  };
  return (
    <section aria-labelledby={id}>
      <Box component="h2" id={id} m={0} fz={12} fw={500}>
        <UnstyledButton className={classes.toggle} fz="inherit" aria-expanded={!isClosed} onClick={toggle}>
          {group.label}
          <Icon name="chevron" size={14} />
        </UnstyledButton>
      </Box>
      {!isClosed && (
        <ul className={classes.list}>
          {group.items.map((item) => (
            <Item key={item.to} item={item} onNavigate={onNavigate} />
          ))}
        </ul>
      )}
    </section>
  );
}

function readClosed(): string[] {
  try {
    const labels: unknown = JSON.parse(closedGroups.read() ?? '[]');
    return Array.isArray(labels) ? labels.filter((label) => typeof label === 'string') : [];
  } catch {
    return [];
  }
}

function Item({ item, onNavigate }: NavigateProps & { item: NavItem }) {
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
        onClick={onNavigate}
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
                onClick={onNavigate}
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

/** The guide opens at the section about the current screen. */
function HelpLinks({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const { pathname } = useLocation();
  const section = findGuideSection(pathname);
  return (
    <Group
      renderRoot={(props) => <nav {...props} />}
      aria-label="Help"
      gap={0}
      grow
      mt="auto"
      px={12}
      py={8}
      style={{ flexShrink: 0, borderTop: '1px solid var(--hairline)' }}
    >
      <Link
        to="/guide/$page"
        params={{ page: GUIDE_PAGE }}
        {...(section !== undefined && { hash: section })}
        activeOptions={{ includeHash: false }}
        className={classes.link}
        data-ahead
        onClick={onNavigate}
      >
        <Icon name="help" size={16} /> Guide
      </Link>
      <UnstyledButton
        className={classes.link}
        data-ahead
        aria-haspopup="dialog"
        onClick={() => {
          onNavigate?.();
          openShortcuts();
        }}
      >
        <Icon name="keyboard" size={16} /> Shortcuts
      </UnstyledButton>
    </Group>
  );
}
