import { Box, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface HeaderLinkProps {
  label: string;
  icon: IconName;
  title: string;
  /** Renders the link with the props of the button. */
  renderRoot: (props: object) => ReactNode;
}

/** A link in a page's `actions` to a related screen. On a phone it is an icon. */
export function HeaderLink({ label, icon, title, renderRoot }: HeaderLinkProps) {
  return (
    <Button
      renderRoot={renderRoot}
      variant="subtle"
      color="gray"
      px={{ base: 14, sm: 18 }}
      mih={{ base: 44, sm: 36 }}
      styles={{ section: { margin: 0 } }}
      aria-label={label}
      leftSection={<Icon name={icon} size={16} />}
      title={title}
    >
      <Box component="span" ms={8} visibleFrom="sm">
        {label}
      </Box>
    </Button>
  );
}
