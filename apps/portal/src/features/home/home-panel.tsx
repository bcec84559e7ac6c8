import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '#platform/page/icon.tsx';
import { Logo } from '#platform/page/logo.tsx';
import { useTitle } from '#platform/page/use-title.ts';
import { productName } from '#platform/product/product.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import { AttentionSection } from './attention-section.tsx';
import { Shortcuts } from './shortcuts.tsx';

/** The home screen: the product's name, what needs attention, and links to the main screens. */
export function HomePanel() {
  const team = useCurrentTeam();
  useTitle('Home');
  return (
    <Stack gap="xl">
      <Group wrap="nowrap" align="center">
        <Logo size={40} />
        <Box miw={0} flex={1}>
          <Text component="h1" fz={24} fw={600} lh={1.25} lts="-0.02em">
            {productName()} Admin Portal
          </Text>
          <Text c="dimmed">
            Managing{' '}
            <Text span fw={500} c="var(--mantine-color-text)">
              <bdi>{team.display_name}</bdi>
            </Text>
          </Text>
        </Box>
        <AddUser />
      </Group>
      <AttentionSection teamId={team.id} />
      <Shortcuts />
    </Stack>
  );
}

/** The most frequent change of a team, one click away: its dialog opens on Manage Users. */
function AddUser() {
  return (
    <Button
      renderRoot={(props) => <Link to="/users/users" state={{ command: 'add user' }} {...props} />}
      mih={{ base: 44, sm: 36 }}
      leftSection={<Icon name="plus" size={16} />}
    >
      Add User
    </Button>
  );
}
