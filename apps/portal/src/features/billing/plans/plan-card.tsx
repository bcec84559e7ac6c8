import '@mantine/core/styles/Paper.layer.css';
import '@mantine/core/styles/Stack.layer.css';
import '@mantine/core/styles/Text.layer.css';
import { Paper, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { productName } from '#platform/product/product.ts';
import classes from './plan-card.module.css';
import { PRICE_TEXT } from './price.ts';

/** Features of every workspace. */
const INCLUDED = ['Chat', 'Meetings', 'Tasks', 'Notes', 'Voice', 'Files', 'SMS', 'Integrations'];

/** The plan with its price. */
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
        <ul className={classes.included} aria-label="Included">
          {INCLUDED.map((name) => (
            <li key={name} className={classes.item}>
              <Icon name="check" size={16} />
              {name}
            </li>
          ))}
        </ul>
        {children}
      </Stack>
    </Paper>
  );
}
