import { Box, Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import { Notice } from './page.tsx';

interface EmptyStateProps {
  icon?: IconName;
  title: string;
  /** The screen has no other heading. */
  isWholeScreen?: boolean;
  /** Says what would be here, and why there is nothing yet. */
  children?: ReactNode;
  /** The most useful next step. */
  action?: ReactNode;
}

export function EmptyState({ icon, title, isWholeScreen = false, children, action }: EmptyStateProps) {
  return (
    <Notice icon={icon && <Icon name={icon} size={24} />} title={title} isWholeScreen={isWholeScreen}>
      {children !== undefined && (
        <Box maw={440} mb={8}>
          {children}
        </Box>
      )}
      {action}
    </Notice>
  );
}

interface NothingFoundProps {
  title?: string;
  /** The label of the button that removes the search and the filters. */
  clearLabel: string;
  onClear: () => void;
  children: ReactNode;
}

export function NothingFound({ title = 'Nothing found', clearLabel, onClear, children }: NothingFoundProps) {
  const action = (
    <Button variant="default" onClick={onClear}>
      {clearLabel}
    </Button>
  );
  return (
    <EmptyState icon="search" title={title} action={action}>
      {children}
    </EmptyState>
  );
}
