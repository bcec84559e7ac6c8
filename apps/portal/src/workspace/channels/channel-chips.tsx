import '@mantine/core/styles/Tooltip.layer.css';
import { CloseButton, Tooltip } from '@mantine/core';
import { Icon, type IconName } from '#platform/page/icon.tsx';
import type { ChosenChannel } from './channel-choice.ts';
import classes from './channel-picker.module.css';

/** Additional note of a chip. */
export interface ChipNote {
  icon: IconName;
  text: string;
}

interface ChannelChipsProps {
  /** Accessible name of the list. */
  label: string;
  chosen: readonly ChosenChannel[];
  getNote: (channel: ChosenChannel) => ChipNote | undefined;
  getLockReason: (channel: ChosenChannel) => string | undefined;
  onRemove: (channel: ChosenChannel) => void;
}

/** The selected channels, each with a remove button or the reason why it can't be removed. */
export function ChannelChips({ label, chosen, getNote, getLockReason, onRemove }: ChannelChipsProps) {
  if (chosen.length === 0) return null;
  return (
    <ul className={classes.chips} aria-label={label}>
      {chosen.map((channel) => {
        const lock = getLockReason(channel);
        const note = getNote(channel);
        return (
          <li key={channel.channel_id} className={classes.chip} data-noted={note !== undefined || undefined}>
            <span className={classes.words}>
              <bdi className={classes.name} title={channel.channel_name}>
                {channel.channel_name}
              </bdi>
              {channel.type === 'P' && <Mark icon="lock" text="Private" />}
              {note !== undefined && <Mark {...note} />}
            </span>
            {lock === undefined ? (
              <CloseButton
                className={classes.remove ?? ''}
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
          </li>
        );
      })}
    </ul>
  );
}

/** A property of a channel, as icon and text. */
export function Mark({ icon, text }: ChipNote) {
  return (
    <span className={classes.mark}>
      <Icon name={icon} size={14} />
      {text}
    </span>
  );
}

/** In place of the remove button: says why the channel can't be removed, to mouse, keyboard and touch. */
function Lock({ name, reason }: { name: string; reason: string }) {
  return (
    <Tooltip label={reason} multiline w={240} position="top-start" portalProps={{ target: '#main' }}>
      <button
        type="button"
        className={classes.lock}
        aria-label={`${name} can’t be removed. ${reason}`}
        onClick={(event) => event.stopPropagation()}
      >
        <Icon name="pin" size={14} />
      </button>
    </Tooltip>
  );
}
