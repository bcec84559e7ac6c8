import { Text } from '@mantine/core';
import classes from './connections.module.css';

/** The limits of a deletion at another server are next to what it does, so that nobody relies on more. */
export function Promises() {
  return (
    <div className={classes.columns}>
      <div>
        <Text component="h3" m={0} mb={8} fw={600}>
          What is promised
        </Text>
        <ul className={classes.list}>
          <li>A message counts as deleted only after the server answered that neither it nor its files exist.</li>
          <li>Whole threads only: a thread stays while any of its messages is younger than the rule, or held.</li>
          <li>Nothing is deleted without a passed rehearsal, and nothing while deletion is paused.</li>
          <li>The text of messages is never stored here.</li>
        </ul>
      </div>
      <div>
        <Text component="h3" m={0} mb={8} fw={600}>
          What isn't promised
        </Text>
        <ul className={classes.list}>
          <li>
            Copies may remain in backups of that server, on the devices of its users, in notification emails and in logs
            of push notifications.
          </li>
          <li>
            The text of messages under a legal hold stays at the server. An export of the hold only describes them.
          </li>
          <li>What was deleted there can't be restored: the time to recover content doesn't apply.</li>
          <li>A reply that arrives in the instant of the deletion can be lost with its thread.</li>
        </ul>
      </div>
    </div>
  );
}
