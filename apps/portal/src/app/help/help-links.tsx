import { Link, useLocation } from '@tanstack/react-router';
import { Icon } from '#platform/page/icon.tsx';
import { findGuideSection, GUIDE_PAGE } from '../navigation.ts';
import classes from './help-links.module.css';
import { openShortcuts } from './shortcuts.ts';

/** The bottom of the sidebar: the guide, opened at the section about the current screen, and the keyboard shortcuts. */
export function HelpLinks({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const { pathname } = useLocation();
  const section = findGuideSection(pathname);
  return (
    <nav className={classes.foot} aria-label="Help">
      <Link
        to="/guide/$page"
        params={{ page: GUIDE_PAGE }}
        {...(section !== undefined && { hash: section })}
        activeOptions={{ includeHash: false }}
        className={classes.link}
        onClick={onNavigate}
      >
        <Icon name="help" size={16} /> Guide
      </Link>
      <button
        type="button"
        className={classes.link}
        aria-haspopup="dialog"
        onClick={() => {
          onNavigate?.();
          openShortcuts();
        }}
      >
        <Icon name="keyboard" size={16} /> Shortcuts
      </button>
    </nav>
  );
}
