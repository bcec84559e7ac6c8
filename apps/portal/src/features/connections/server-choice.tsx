import type { Connection } from '@steward/contract/connections';
import { PickOne } from '#platform/forms/pick-one.tsx';

interface ServerChoiceProps {
  all: readonly Connection[];
  chosen: Connection;
  onPick: (connectionId: string) => void;
}

/** For a team that governs several servers. */
export function ServerChoice({ all, chosen, onPick }: ServerChoiceProps) {
  return (
    <PickOne
      label="Server"
      className={undefined}
      options={all.map(({ id, name }) => ({ value: id, label: name }))}
      value={chosen.id}
      onPick={onPick}
    />
  );
}
