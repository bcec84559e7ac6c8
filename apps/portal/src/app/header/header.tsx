import { ActionIcon, Box, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { Logo } from '#platform/page/logo.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { openSwitchTeam } from '#workspace/teams/switch-team.ts';
import { HELP, NAVIGATION } from '../navigation.ts';
import { AccountMenu } from './account-menu.tsx';
import classes from './header.module.css';
import { PaletteButton } from './palette-button.tsx';

const PLACES = [...NAVIGATION, HELP];

/** Where the admin is, in which team, and as whom. */
export function Header({ onMenu }: { onMenu: () => void }) {
  return (
    <Group
      renderRoot={(props) => <header {...props} />}
      className={classes.header}
      wrap="nowrap"
      gap={8}
      px={{ base: 8, sm: 12 }}
    >
      <ActionIcon hiddenFrom="sm" variant="subtle" color="gray" size={44} aria-label="Menu" onClick={onMenu}>
        <Icon name="menu" size={20} />
      </ActionIcon>
      <Link to="/" className={classes.control}>
        <Logo size={24} />
        <Box component="span" fw={600} className={hidden.unseenOnPhone ?? ''}>
          Welcome to Admin
        </Box>
      </Link>
      <TeamSwitch />
      <PaletteButton places={PLACES} />
      <AccountMenu />
    </Group>
  );
}

function TeamSwitch() {
  const team = useCurrentTeam();

  function open(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    openSwitchTeam();
  }

  return (
    <Link
      to="/switchTeam"
      className={`${classes.control} ${classes.framed} ${classes.team}`}
      onClick={open}
      title="Switch team"
    >
      <span className={classes.name}>{team.display_name}</span>
      <Icon name="swap" size={16} />
      <span className={hidden.unseen}>, switch team</span>
    </Link>
  );
}
