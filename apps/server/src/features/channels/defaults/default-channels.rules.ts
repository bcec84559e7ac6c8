import { GENERAL } from '#workspace/access/channel-access.rules.ts';
import { isOffered, type OfferedChannel } from '#workspace/channels/offered-channels.rules.ts';

/** A channel of the team that somebody wants among the default channels, as they stand to it. */
export interface Choice extends OfferedChannel {
  /** Whether it is a default channel already. */
  is_default: boolean;
}

/** Whether it is the channel that everybody belongs to: always a default channel, and nobody has to join it. */
export function isGeneral({ name }: Pick<Choice, 'name'>): boolean {
  return name === GENERAL;
}

/** Whether a list with these channels names general, in whatever letters (spec §5). */
export function hasGeneral(choices: readonly Choice[]): boolean {
  return choices.some(({ name }) => name.toLowerCase() === GENERAL);
}

/**
 * What is offered may be chosen: open channels, private ones only by those who have joined. What is a default channel
 * already may stay, also when it was archived, or is private and somebody else chose it.
 */
export function mayChoose(choice: Choice): boolean {
  if (choice.type === 'D') return false;
  return isGeneral(choice) || choice.is_default || isOffered(choice);
}

/** Whether people can be added to it: general needs nobody added, and an archived channel takes nobody in. */
export function acceptsMembers(choice: Choice): boolean {
  return !isGeneral(choice) && choice.delete_at === 0;
}
