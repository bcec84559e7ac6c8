import { Text } from '@mantine/core';
import classes from './list-layout.module.css';

/**
 * The note is below the name, or beside it in a card. Names are user input, so they are isolated from the text direction around
 * them and cut to one line.
 */
export function CellLines({ name, note }: { name: string; note: string }) {
  return (
    <span className={classes.lines}>
      <Text component="bdi" display="block" truncate title={name}>
        {name}
      </Text>
      {note !== '' && (
        <Text component="bdi" display="block" truncate c="dimmed" fz="0.8125rem" title={note}>
          {note}
        </Text>
      )}
    </span>
  );
}
