import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { Icon } from '#platform/page/icon.tsx';
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
    <header className={classes.header}>
      <ActionIcon className={classes.menu} variant="subtle" color="gray" size={44} aria-label="Menu" onClick={onMenu}>
        <Icon name="menu" size={20} />
      </ActionIcon>
      <Link to="/" className={classes.brand}>
        <img src="/favicon.svg" alt="" width="24" height="24" />
        <span className={classes.brandName}>Welcome to Admin</span>
      </Link>
      <TeamSwitch />
      <PaletteButton places={PLACES} />
      <AccountMenu />
    </header>
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
    <Link to="/switchTeam" className={classes.team} onClick={open} title="Switch team">
      <span className={classes.teamName}>{team.display_name}</span>
      <Icon name="swap" size={16} />
      <span className={hidden.unseen}>, switch team</span>
    </Link>
  );
}
