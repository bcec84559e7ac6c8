import { Divider, Group, Paper, SimpleGrid, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import { PRICE_TEXT } from './samples.ts';

const INCLUDED = ['Chat', 'Meetings', 'Tasks', 'Notes', 'Voice', 'Files', 'SMS', 'Integrations'];

export function PlanCard({ children }: { children?: ReactNode }) {
  const [amount, ...unit] = PRICE_TEXT.split(' ');
  return (
    <Paper
      component="article"
      withBorder
      bg="var(--surface-raised)"
      p={20}
      maw={640}
      aria-label={`${productName()} plan`}
    >
      <Stack gap="md">
        <div>
          <Text component="h3" size="lg" fw={600}>
            {productName()}
          </Text>
          <Text c="dimmed">
            <Text span fz={28} fw={600} c="var(--mantine-color-text)">
              {amount}
            </Text>{' '}
            {unit.join(' ')}
          </Text>
        </div>
        <Divider color="var(--hairline)" />
        <SimpleGrid
          cols={{ base: 2, xs: 4 }}
          spacing="md"
          verticalSpacing="xs"
          m={0}
          p={0}
          renderRoot={(props) => <ul {...props} aria-label="Included" />}
        >
          {INCLUDED.map((name) => (
            <Group key={name} gap="xs" wrap="nowrap" renderRoot={(props) => <li {...props} />}>
              <Text span c="var(--success)" lh={0}>
                <Icon name="check" size={16} />
              </Text>
              {name}
            </Group>
          ))}
        </SimpleGrid>
        {children}
      </Stack>
    </Paper>
  );
}
