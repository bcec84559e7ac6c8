import { Alert, List } from '@mantine/core';
import { Icon } from '#platform/page/icon.tsx';

interface WarningsProps {
  /** Complete sentences from the server; nothing is rendered without any. */
  warnings: readonly string[];
  onDismiss?: () => void;
}

/** What an admin should look at. */
export function Warnings({ warnings, onDismiss }: WarningsProps) {
  if (warnings.length === 0) return null;
  return (
    <Alert
      color="yellow"
      p="sm"
      maw={640}
      role="region"
      aria-label="Needs attention"
      icon={<Icon name="warning" />}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel="Dismiss"
      {...(onDismiss !== undefined && { onClose: onDismiss })}
    >
      <List listStyleType="none" spacing={6}>
        {warnings.map((warning) => (
          <List.Item key={warning}>{warning}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
