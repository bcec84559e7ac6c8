import { Box, Button, Group, Paper, Text } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { Icon } from '#platform/page/icon.tsx';
import { stayInTeam } from '#workspace/session/session.ts';
import type { AdminTeam } from '#workspace/session/session-state.ts';

interface OtherTeamProps {
  team: AdminTeam;
  /** The team that opens without a link. */
  last: AdminTeam;
}

/** A link opened another team in this tab, which the user may not have noticed. */
export function OtherTeam({ team, last }: OtherTeamProps) {
  const navigate = useNavigate();
  const goBack = () => void navigate({ to: '/', search: { team: last.id } });
  return (
    <Paper
      renderRoot={(props) => <section aria-label="Team of this tab" {...props} />}
      withBorder
      mb={24}
      px={16}
      py={10}
      bg="var(--warning-soft)"
    >
      <Group justify="space-between" gap="8px 16px">
        <Group gap={10} wrap="nowrap" flex="1 1 320px" miw={0}>
          <Box component="span" flex="none" lh={0}>
            <Icon name="swap" size={16} />
          </Box>
          <Text role="status" miw={0} style={{ overflowWrap: 'anywhere' }}>
            You are looking at <strong>{team.display_name}</strong> in this tab. Other tabs and your next visit open{' '}
            <strong>{last.display_name}</strong>.
          </Text>
        </Group>
        <Group gap={8}>
          <Button variant="default" size="compact-md" mih={{ base: 44, sm: 32 }} onClick={stayInTeam}>
            Switch to this team
          </Button>
          <Button variant="subtle" size="compact-md" mih={{ base: 44, sm: 32 }} maw={280} onClick={goBack}>
            Back to {last.display_name}
          </Button>
        </Group>
      </Group>
    </Paper>
  );
}
