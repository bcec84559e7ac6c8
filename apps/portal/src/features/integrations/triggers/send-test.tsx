import { Button, Loader, Stack, Text } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import type { testIntegration } from '@steward/contract/integrations';
import { Icon } from '#platform/page/icon.tsx';
import { Findings } from '../template/findings.tsx';

interface SendTestProps {
  isSending: boolean;
  /** Why nothing was sent. */
  failure: string | undefined;
  result: Answer<typeof testIntegration> | undefined;
  onSend: () => void;
}

/** Posts the sample ticket with the current template, saved or not, and shows the result. */
export function SendTest({ isSending, failure, result, onSend }: SendTestProps) {
  return (
    <Stack gap="xs" mt="xs" align="flex-start">
      <Button
        variant="default"
        // A disabled button would lose the focus.
        aria-disabled={isSending || undefined}
        aria-busy={isSending || undefined}
        leftSection={isSending ? <Loader size={16} aria-hidden="true" /> : <Icon name="play" size={16} />}
        onClick={onSend}
      >
        Send test
      </Button>
      <Text c="dimmed" size="xs">
        Posts a test message to the selected channels. Your changes aren't saved.
      </Text>
      {failure !== undefined && <Text c="var(--danger)">{failure}</Text>}
      <Stack gap={0} w="100%" role="status">
        {result !== undefined && <Result result={result} />}
      </Stack>
    </Stack>
  );
}

function Result({ result: { channels, connection_error } }: { result: Answer<typeof testIntegration> }) {
  const posts = channels.map(({ channel_id, channel_name, posted, error }) => ({
    key: channel_id,
    severity: posted ? ('none' as const) : ('error' as const),
    content: (
      <>
        <bdi>{channel_name}</bdi>: {posted ? 'Posted' : error}
      </>
    ),
  }));
  const connection = {
    key: 'connection',
    severity: connection_error === '' ? ('none' as const) : ('error' as const),
    content: connection_error === '' ? 'Deliveries can reach this server.' : connection_error,
  };
  return <Findings label="Result of the test" findings={[...posts, connection]} />;
}
