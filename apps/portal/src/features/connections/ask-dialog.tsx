import { Button, Radio, Stack, Text } from '@mantine/core';
import type { Answer } from '@steward/contract/api/endpoint';
import type { askConnectedServer, ConnectedUser } from '@steward/contract/connections';
import { WorkAction } from '@steward/contract/connections/fields';
import { useState } from 'react';
import { useChangeWithKey } from '#platform/api/idempotency-key.ts';
import { Dialog } from '#platform/dialogs/dialog.tsx';
import { DialogButtons, ignoreRepeat } from '#platform/dialogs/dialog-buttons.tsx';
import { showFailure, showSuccess } from '#platform/feedback/alerts.tsx';
import { Quiet } from '#platform/page/facts.tsx';
import { formatCount, formatNumber } from '#platform/time/format.ts';
import { ACTIONS, getRefusal, getUserName } from './connected-user-text.ts';
import { asking } from './connected-users.queries.ts';
import classes from './connections.module.css';
import type { Place } from './connections.queries.ts';

export interface AskDialogProps {
  place: Place;
  server: string;
  users: readonly ConnectedUser[];
  opened: boolean;
  onClose: () => void;
  onAsked: () => void;
}

const PEOPLE = { one: 'person', many: 'people' };

/** An action is chosen, and before it is sent the dialog says what happens there and for whom it is refused. */
export function AskDialog({ place, server, users, opened, onClose, onAsked }: AskDialogProps) {
  const [action, setAction] = useState<WorkAction>();
  const ask = useChangeWithKey(asking);
  const [first] = users;
  const who = users.length === 1 && first !== undefined ? getUserName(first) : formatCount(users.length, PEOPLE);
  const able = action === undefined ? [] : users.filter((user) => getRefusal(user, action) === '');
  const send = (chosen: WorkAction) => {
    ask.mutate(
      { params: { ...place }, body: { action: chosen, user_ids: able.map(({ id }) => id) } },
      {
        onSuccess: ({ records }) => {
          showSuccess(describeAnswer(chosen, records));
          onAsked();
        },
        onError: showFailure,
        onSettled: onClose,
      },
    );
  };
  const isDangerous = action !== undefined && ACTIONS[action].isDangerous;
  return (
    <Dialog opened={opened} onClose={onClose} title={`${who} on ${server}`} width={520} closable={!ask.isPending}>
      <Stack gap="md">
        <ActionChoice users={users} value={action} onChange={setAction} />
        {action !== undefined && <Effect action={action} users={users} able={able.length} />}
      </Stack>
      <DialogButtons>
        <Button variant="default" data-autofocus disabled={ask.isPending} onClick={onClose}>
          Cancel
        </Button>
        <Button
          {...(isDangerous && { color: 'red' })}
          disabled={able.length === 0}
          loading={ask.isPending}
          onKeyDown={ignoreRepeat}
          onClick={() => action !== undefined && send(action)}
        >
          {action === undefined ? 'Choose an action' : ACTIONS[action].label}
        </Button>
      </DialogButtons>
    </Dialog>
  );
}

interface ActionChoiceProps {
  users: readonly ConnectedUser[];
  value: WorkAction | undefined;
  onChange: (action: WorkAction) => void;
}

const NO_DEFAULTS = 'For active accounts, once Default Channels are chosen under Connected Server.';

/** Actions that nobody here can be asked for are dimmed. */
function ActionChoice({ users, value, onChange }: ActionChoiceProps) {
  const isOffered = (action: WorkAction) => users.some(({ actions }) => actions.includes(action));
  const reasons = new Set(users.map(({ reason }) => reason));
  const [only = ''] = reasons.size === 1 ? reasons : [];
  return (
    <Radio.Group label="Action" value={value ?? ''} onChange={(chosen) => onChange(WorkAction.parse(chosen))}>
      <Stack gap="xs" pt={6}>
        {WorkAction.options.map((action) => (
          <Radio
            key={action}
            value={action}
            label={ACTIONS[action].label}
            disabled={!isOffered(action)}
            {...(action === 'add_to_channels' && !isOffered(action) && { description: NO_DEFAULTS })}
          />
        ))}
        {only !== '' && <Quiet>{only}</Quiet>}
      </Stack>
    </Radio.Group>
  );
}

/** Long lists of refused users are cut. */
const REFUSED_SHOWN = 10;

function Effect({ action, users, able }: { action: WorkAction; users: readonly ConnectedUser[]; able: number }) {
  const refused = users.filter((user) => getRefusal(user, action) !== '');
  return (
    <Stack gap="xs" role="status">
      <Text fw={500}>
        {users.length > 1 && `For ${formatNumber(able)} of ${formatCount(users.length, PEOPLE)}: `}
        {ACTIONS[action].effect}
      </Text>
      {refused.length > 0 && (
        <>
          <Text>Refused for:</Text>
          <ul className={classes.list}>
            {refused.slice(0, REFUSED_SHOWN).map((user) => (
              <li key={user.id}>
                <bdi>{getUserName(user)}</bdi>: {getRefusal(user, action)}
              </li>
            ))}
            {refused.length > REFUSED_SHOWN && <li>and {formatNumber(refused.length - REFUSED_SHOWN)} others</li>}
          </ul>
        </>
      )}
      <Quiet>
        The server does it as soon as the bridge reports, usually within seconds. The list shows the outcome.
      </Quiet>
    </Stack>
  );
}

function describeAnswer(action: WorkAction, records: Answer<typeof askConnectedServer>['records']): string {
  const refused = records.filter(({ remote }) => remote === 'refused').length;
  const asked = `${ACTIONS[action].label}: asked for ${formatCount(records.length - refused, PEOPLE)}`;
  return refused === 0 ? `${asked}.` : `${asked}, refused for ${formatNumber(refused)}.`;
}
