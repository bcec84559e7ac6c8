import { Button, Loader } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import type { testIntegration } from '@steward/contract/integrations';
import type { ReactNode } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import classes from '../template/preview.module.css';
import findings from './problems.module.css';

interface SendTestProps {
  isSending: boolean;
  /** Why nothing was sent. */
  failure: string | undefined;
  result: Answer<typeof testIntegration> | undefined;
  onSend: () => void;
}

/** Posts the sample ticket with what is in the form, saved or not, and says what became of it. */
export function SendTest({ isSending, failure, result, onSend }: SendTestProps) {
  return (
    <div className={classes.test}>
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
      <p className={classes.note}>Posts a test message to the selected channels. Your changes aren't saved.</p>
      {failure !== undefined && <p className={findings.failure}>{failure}</p>}
      <div role="status">{result !== undefined && <Result result={result} />}</div>
    </div>
  );
}

function Result({ result: { channels, connection_error } }: { result: Answer<typeof testIntegration> }) {
  return (
    <ul className={findings.list} aria-label="Result of the test">
      {channels.map(({ channel_id, channel_name, posted, error }) => (
        <Line key={channel_id} isGood={posted}>
          <bdi>{channel_name}</bdi>: {posted ? 'Posted' : error}
        </Line>
      ))}
      <Line isGood={connection_error === ''}>
        {connection_error === '' ? 'Deliveries can reach this server.' : connection_error}
      </Line>
    </ul>
  );
}

function Line({ isGood, children }: { isGood: boolean; children: ReactNode }) {
  return (
    <li className={findings.problem} data-severity={isGood ? 'none' : 'error'}>
      <Icon name={isGood ? 'check' : 'warning'} size={16} />
      <span className={findings.words}>{children}</span>
    </li>
  );
}
