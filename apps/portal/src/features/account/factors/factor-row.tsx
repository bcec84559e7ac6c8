import type { ReactNode } from 'react';
import { RowButton } from '#platform/forms/row-button.tsx';
import { ListRow } from '../section.tsx';

interface FactorRowProps {
  title: string;
  text: ReactNode;
  action?: string;
  onAction?: () => void;
}

export function FactorRow({ title, text, action, onAction }: FactorRowProps) {
  return (
    <ListRow title={title} text={text}>
      {action !== undefined && (
        <RowButton aria-label={`${action}: ${title}`} onClick={onAction}>
          {action}
        </RowButton>
      )}
    </ListRow>
  );
}
