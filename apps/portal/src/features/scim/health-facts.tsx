import { Group, Text } from '@mantine/core';
import type { ScimHealth } from '@steward/contract/scim';
import type { ReactNode } from 'react';
import { StateBadge, type Tone } from '#platform/feedback/state-badge.tsx';
import { formatNumber } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';

/** How provisioning is doing, state first. */
export function HealthFacts({ health }: { health: ScimHealth }) {
  const { last_call_at, changes, failures, users, groups } = health;
  return (
    <Group component="section" aria-label="State of provisioning" gap="8px 32px" align="start">
      <Fact label="State">
        <StateBadge {...getState(health)} />
      </Fact>
      <Fact label="Last call">{last_call_at === 0 ? 'None yet' : <Timestamp at={last_call_at} />}</Fact>
      <Fact label="Changes, 24 hours">{formatNumber(changes)}</Fact>
      <Fact label="Refused, 24 hours">{formatNumber(failures)}</Fact>
      <Fact label="Users managed">{formatNumber(users)}</Fact>
      <Fact label="Groups">{formatNumber(groups)}</Fact>
    </Group>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text c="dimmed" size="xs">
        {label}
      </Text>
      <Text component="div">{children}</Text>
    </div>
  );
}

/** Without a call for so long, the provider has probably stopped: Microsoft Entra ID calls every 40 minutes. */
const SILENT_MS = 24 * 3_600_000;

function getState({ last_call_at, failures }: ScimHealth): { word: string; tone: Tone } {
  if (last_call_at === 0) return { word: 'Waiting for the first call', tone: 'quiet' };
  if (failures > 0) return { word: 'Some calls were refused', tone: 'warning' };
  if (last_call_at < Date.now() - SILENT_MS) return { word: 'No call for a day', tone: 'quiet' };
  return { word: 'Working', tone: 'success' };
}
