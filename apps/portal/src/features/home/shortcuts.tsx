import { Box, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import classes from './home.module.css';

const SHORTCUTS: readonly { to: string; label: string; text: string; icon: IconName }[] = [
  { to: '/users/users', label: 'Manage Users', text: 'Users, invitations and sessions', icon: 'people' },
  {
    to: '/users/company_directory',
    label: 'Company Directory',
    text: 'Names, numbers and emails',
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
    <Stack role="region" aria-labelledby="go-to" gap="sm">
      <Text component="h2" id="go-to" size="lg" fw={600}>
        Go to
      </Text>
      <SimpleGrid
        cols={{ base: 1, xs: 2, md: 3, lg: 4 }}
        spacing="sm"
        m={0}
        p={0}
        renderRoot={(props) => <ul {...props} />}
      >
        {SHORTCUTS.map(({ to, label, text, icon }) => (
          <Paper key={to} component="li" withBorder bg="var(--surface-raised)" className={classes.item ?? ''}>
            <Link className={classes.row} to={to}>
              <Box c="dimmed" lh={0}>
                <Icon name={icon} />
              </Box>
              <Box miw={0}>
                <Text fw={500}>{label}</Text>
                <Text c="dimmed" size="xs">
                  {text}
                </Text>
              </Box>
            </Link>
          </Paper>
        ))}
      </SimpleGrid>
    </Stack>
  );
}
