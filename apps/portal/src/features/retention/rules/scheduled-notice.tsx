import { Group, Paper, Stack, Text } from '@mantine/core';
import { describeRule } from '@steward/contract/retention/describe-rule';
import type { SavedRule } from '@steward/contract/retention/fields';
import { useQuery } from '@tanstack/react-query';
import { Icon } from '#platform/page/icon.tsx';
import type { Setting } from '../groups.ts';
import { overviewQueryOptions } from '../retention.queries.ts';
import { SmallButton } from '../small-button.tsx';
import { TeamTimestamp } from '../team-timestamp.tsx';

interface ScheduledNoticeProps {
  setting: Setting;
  rule: SavedRule;
  teamId: string;
  isCanceling: boolean;
  isDisabled: boolean;
  onCancel: () => void;
}

/** Says when the saved rule takes effect, and offers to cancel it. */
export function ScheduledNotice({ setting, rule, teamId, ...button }: ScheduledNoticeProps) {
  const zone = useQuery(overviewQueryOptions(teamId)).data?.time_zone;
  const { kind, title } = setting;
  const { effective_at, in_force } = rule;
  if (effective_at === undefined || in_force === undefined) return null;
  return (
    <Paper p="sm" bg="var(--warning-soft)">
      <Group gap={10} wrap="nowrap" align="flex-start">
        <Text span c="var(--warning)" lh={1} flex="none">
          <Icon name="clock" />
        </Text>
        <Stack gap={10} align="flex-start" miw={0}>
          <Text>
            From <TeamTimestamp at={effective_at} teamZone={zone} />: {describeRule(kind, rule)} Until then:{' '}
            {describeRule(kind, in_force)}
          </Text>
          <SmallButton
            aria-label={`Cancel this change: ${title}`}
            loading={button.isCanceling}
            disabled={button.isDisabled}
            onClick={button.onCancel}
          >
            Cancel this change
          </SmallButton>
        </Stack>
      </Group>
    </Paper>
  );
}
