import type { ListedUser, User, UserAction } from '@steward/contract/users';
import { useMemo } from 'react';
import { type Column, SkeletonBar } from '#platform/tables/data-table.tsx';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import { UserActions } from '../actions/user-actions.tsx';
import { SelectableName, SelectLoaded } from '../bulk/select-boxes.tsx';
import type { SelectionStore } from '../bulk/use-selection.ts';
import { KindCell, LastActive, NameCell, NameSkeleton, StatusCell } from './user-cells.tsx';

interface Means {
  selection: SelectionStore;
  onAction: (action: UserAction, person: ListedUser) => void;
  onOpen: (person: User) => void;
}

/** On a phone, a card has only name, status and menu. */
export function useUserColumns({ selection, onAction, onOpen }: Means): readonly Column<ListedUser>[] {
  const { id } = useSignedInUser();
  return useMemo(
    () => [
      {
        ...{ id: 'name', header: 'Name', width: 'minmax(0, 5fr)', sort: 'name' },
        headerBefore: <SelectLoaded store={selection} />,
        cell: (person) => (
          <SelectableName store={selection} person={person}>
            <NameCell person={person} isSelf={person.id === id} onOpen={onOpen} />
          </SelectableName>
        ),
        skeleton: <NameSkeleton />,
      },
      {
        ...{ id: 'kind', header: 'Account Type', width: 'minmax(0, 2fr)', isWideOnly: true },
        cell: (person) => <KindCell person={person} />,
        skeleton: <SkeletonBar width="5.5rem" height="1.375rem" />,
      },
      {
        ...{ id: 'status', header: 'Status', width: 'minmax(0, 2fr)' },
        cell: (person) => <StatusCell person={person} />,
        skeleton: <SkeletonBar width="4rem" />,
      },
      {
        ...{ id: 'last-active', header: 'Last active', width: 'minmax(0, 2fr)', sort: 'last_active', isWideOnly: true },
        cell: (person) => <LastActive person={person} />,
        skeleton: <SkeletonBar width="5rem" />,
      },
      {
        ...{ id: 'actions', header: 'Actions', headerHidden: true, width: '2.25rem' },
        cell: (person) => <UserActions person={person} onAction={onAction} />,
      },
    ],
    [id, selection, onAction, onOpen],
  );
}
