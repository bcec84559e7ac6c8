import { Button, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from '../account.module.css';

interface FactorRowProps {
  title: string;
  text: ReactNode;
  action?: string;
  onAction?: () => void;
}

export function FactorRow({ title, text, action, onAction }: FactorRowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <Text fw={500}>{title}</Text>
        <Text c="dimmed" fz={13}>
          {text}
        </Text>
      </div>
      {action !== undefined && (
        <Button size="compact-sm" variant="default" aria-label={`${action}: ${title}`} onClick={onAction}>
          {action}
        </Button>
      )}
    </li>
  );
}
