import { Group, UnstyledButton } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { Icon } from '#platform/page/icon.tsx';
import { findGuideSection, GUIDE_PAGE } from '../navigation.ts';
import classes from '../shell/sidebar.module.css';
import { openShortcuts } from './shortcuts.ts';

/** The bottom of the sidebar: the guide, opened at the section about the current screen, and the keyboard shortcuts. */
export function HelpLinks({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const { pathname } = useLocation();
  const section = findGuideSection(pathname);
  return (
    <Group
      renderRoot={(props) => <nav {...props} />}
      aria-label="Help"
      gap={0}
      grow
      pos="sticky"
      bottom={0}
      mt="auto"
      px={12}
      py={8}
      bg="inherit"
      style={{ borderTop: '1px solid var(--hairline)' }}
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
