import { CloseButton, Group, Text, Tooltip, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import type { ChosenChannel } from './channel-choice.ts';
import classes from './channel-picker.module.css';

export interface ChipNote {
  icon: IconName;
  text: string;
}

interface ChannelChipsProps {
  label: string;
  chosen: readonly ChosenChannel[];
  getNote: (channel: ChosenChannel) => ChipNote | undefined;
  getLockReason: (channel: ChosenChannel) => string | undefined;
  onRemove: (channel: ChosenChannel) => void;
}

/** Each selected channel has a remove button, or the reason why it can't be removed. */
export function ChannelChips({ label, chosen, getNote, getLockReason, onRemove }: ChannelChipsProps) {
  if (chosen.length === 0) return null;
  return (
    <Group component="ul" gap={6} miw={0} maw="100%" m={0} p={0} style={{ listStyle: 'none' }} aria-label={label}>
      {chosen.map((channel) => {
        const lock = getLockReason(channel);
        const note = getNote(channel);
        return (
          <Chip key={channel.channel_id} isNoted={note !== undefined}>
            {/* On a phone the note wraps to its own line before the name is cut. */}
            <Group component="span" gap="0 8px" miw={0}>
              <Text component="bdi" inherit truncate title={channel.channel_name}>
                {channel.channel_name}
              </Text>
              {channel.type === 'P' && <Mark icon="lock" text="Private" />}
              {note !== undefined && <Mark {...note} />}
            </Group>
            {lock === undefined ? (
              <CloseButton
                c="dimmed"
                radius="xs"
                size={24}
                iconSize={14}
                aria-label={`Remove ${channel.channel_name}`}
                onClick={(event) => {
                  // A click on the surrounding field would open the list.
                  event.stopPropagation();
                  onRemove(channel);
                }}
              />
            ) : (
              <Lock name={channel.channel_name} reason={lock} />
            )}
          </Chip>
        );
      })}
    </Group>
  );
}

function Chip({ isNoted, children }: { isNoted: boolean; children: ReactNode }) {
  return (
    <Group
      component="li"
      wrap="nowrap"
      gap={8}
      miw={0}
      maw="100%"
      mih={28}
      ps={10}
      pe={2}
      bd="1px solid var(--mantine-color-default-border)"
      bdrs="sm"
      bg={isNoted ? 'var(--warning-soft)' : 'var(--surface-hover)'}
      fz="0.8125rem"
      lh="1.25rem"
      {...(isNoted && { style: { '--mark-color': 'var(--warning)' } })}
    >
      {children}
    </Group>
  );
}

export function Mark({ icon, text }: ChipNote) {
  return (
    <span className={classes.mark}>
      <Icon name={icon} size={14} />
      {text}
    </span>
  );
}

/** Replaces the remove button and explains the reason to mouse, keyboard and touch. */
function Lock({ name, reason }: { name: string; reason: string }) {
  return (
    <Tooltip label={reason} multiline w={240} position="top-start" portalProps={{ target: '#main' }}>
      <UnstyledButton
        display="grid"
        w={24}
        h={24}
        bdrs="xs"
        c="dimmed"
        style={{ placeItems: 'center', cursor: 'help' }}
        aria-label={`${name} can’t be removed. ${reason}`}
        onClick={(event) => event.stopPropagation()}
      >
        <Icon name="pin" size={14} />
      </UnstyledButton>
    </Tooltip>
  );
}
