import { ActionIcon, Button, Group, List, Text, TextInput } from '@mantine/core';
import { INVITEES_MAX } from '@steward/contract/api/limits';
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type RefObject, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Icon } from '#platform/page/icon.tsx';
import frame from '#workspace/page/card.module.css';
import { isList, type SpreadResult, spread, spreadRows } from './address-list.ts';
import { rowProblems } from './signup.form.ts';
import { isButton, StepButtons } from './step-parts.tsx';
import type { Wizard } from './wizard.ts';

/** Addresses are typed one by one or pasted as a list. */
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

/** Every action keeps the focus in the form. */
function useInviteeRows(wizard: Wizard) {
  const { draft, edit, next } = wizard;
  const { invitees: rows, owner_email } = draft;
  const { form, typedAt, leftOut, type, leave, show } = useVisibleRows(wizard);
  const add = () => show({ rows: [...rows, ''], leftOut: 0 }, rows.length);

  return {
    form,
    rows,
    leftOut,
    add,
    type,
    leave,
    /** A row shows its error when the user has finished typing in it. */
    problems: rowProblems(rows, owner_email).map((problem, at) => (at === typedAt ? undefined : problem)),
    remove: (at: number) => show({ rows: rows.toSpliced(at, 1), leftOut: 0 }, at),
    paste: (at: number, event: ClipboardEvent<HTMLInputElement>) => {
      const text = event.clipboardData.getData('text');
      if (!isList(text)) return;
      event.preventDefault();
      const { selectionStart, selectionEnd, value } = event.currentTarget;
      const isReplaced = selectionStart === 0 && selectionEnd === value.length;
      show(spread(isReplaced ? rows.with(at, '') : rows, { at, text, most: INVITEES_MAX }), at);
    },
    /** Enter moves to the next row, and from an empty last row to the next step. */
    press: (at: number, event: KeyboardEvent) => {
      const isLast = at === rows.length - 1;
      if (event.key !== 'Enter' || (isLast && (rows[at]?.trim() === '' || rows.length >= INVITEES_MAX))) return;
      event.preventDefault();
      if (isLast) add();
      else focusRow(form, at + 1);
    },
    submit: (event: FormEvent) => {
      event.preventDefault();
      const now = spreadRows(rows, INVITEES_MAX);
      const wrongAt = rowProblems(now.rows, owner_email).findIndex((problem) => problem !== undefined);
      if (wrongAt !== -1 || now.leftOut > 0) return show(now, Math.max(wrongAt, 0));
      if (rows.some(isList)) edit({ invitees: now.rows });
      next();
    },
  };
}

function useVisibleRows({ draft: { invitees: rows }, edit }: Wizard) {
  const form = useRef<HTMLFormElement>(null);
  const [typedAt, setTypedAt] = useState<number | null>(null);
  const [leftOut, setLeftOut] = useState(0);
  return {
    form,
    typedAt,
    leftOut,
    leave: () => setTypedAt(null),
    type: (at: number, text: string) => {
      edit({ invitees: rows.with(at, text) });
      setLeftOut(0);
      setTypedAt(at);
    },
    show: (now: SpreadResult, focused: number) => {
      flushSync(() => {
        edit({ invitees: now.rows });
        setLeftOut(now.leftOut);
        setTypedAt(null);
      });
      focusRow(form, focused);
    },
  };
}

/** If there are fewer rows, the last one gets the focus; without rows, the button that adds one. */
function focusRow(form: RefObject<HTMLFormElement | null>, at: number): void {
  const fields = form.current?.querySelectorAll('input') ?? [];
  (fields[Math.min(at, fields.length - 1)] ?? form.current?.querySelector('button'))?.focus();
}
