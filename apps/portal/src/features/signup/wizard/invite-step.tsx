import { ActionIcon, Button, Group, List, Text, TextInput } from '@mantine/core';
import { INVITEES_MAX } from '@steward/contract/api/limits';
import { Icon } from '#platform/page/icon.tsx';
import frame from '#workspace/page/card.module.css';
import { isButton, StepButtons } from './step-parts.tsx';
import { useInviteeRows } from './use-invitee-rows.ts';
import type { Wizard } from './wizard.ts';

/** Step 3: at most ten addresses, typed one by one or pasted as a list. */
export function InviteStep({ wizard }: { wizard: Wizard }) {
  const invitees = useInviteeRows(wizard);
  const { form, rows, leftOut } = invitees;
  return (
    <form ref={form} noValidate className={frame.form} onSubmit={invitees.submit}>
      <Text c="dimmed">
        Invitations go out once the team is created. Paste a list to fill several rows. You can invite more later.
      </Text>
      <List listStyleType="none" spacing="xs">
        {rows.map((_, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position; its value is passed in
          <Row key={at} at={at} invitees={invitees} />
        ))}
      </List>
      <Group gap="xs" mt={-4} mih={26} c="dimmed">
        {rows.length < INVITEES_MAX ? (
          <Button
            variant="subtle"
            size="compact-sm"
            leftSection={<Icon name="plus" size={14} />}
            onClick={invitees.add}
          >
            Add more
          </Button>
        ) : (
          <span>You've reached the limit of {INVITEES_MAX} invitations.</span>
        )}
        <Text role="status" c="var(--warning)">
          {leftOut > 0 && formatLeftOut(leftOut)}
        </Text>
      </Group>
      <StepButtons onBack={wizard.back} />
    </form>
  );
}

function formatLeftOut(count: number): string {
  return `${count === 1 ? '1 address was' : `${count} addresses were`} left out. You can invite up to ${INVITEES_MAX} people.`;
}

function Row({ at, invitees }: { at: number; invitees: ReturnType<typeof useInviteeRows> }) {
  const text = invitees.rows[at] ?? '';
  return (
    <List.Item>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <TextInput
          flex={1}
          miw={0}
          aria-label={`Teammate ${at + 1}`}
          placeholder="name@example.com"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus={at === 0}
          value={text}
          error={invitees.problems[at]}
          onChange={({ currentTarget }) => invitees.type(at, currentTarget.value)}
          onBlur={({ relatedTarget }) => !isButton(relatedTarget) && invitees.leave()}
          onPaste={(event) => invitees.paste(at, event)}
          onKeyDown={(event) => invitees.press(at, event)}
        />
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          aria-label={`Remove ${text.trim() === '' ? `teammate ${at + 1}` : text.trim()}`}
          onClick={() => invitees.remove(at)}
        >
          <Icon name="close" size={16} />
        </ActionIcon>
      </Group>
    </List.Item>
  );
}
