import { ActionIcon, Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useId, useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import { useSignedInUser } from '#workspace/session/use-session.ts';
import { useCurrentTeam } from '#workspace/teams/current-team.ts';
import type { UsersSearch } from './filters.ts';
import {
  cleanName,
  isShown,
  readViews,
  type SavedView,
  toView,
  VIEW_NAME_MAX,
  VIEWS_MAX,
  viewsOf,
  withoutView,
  withView,
} from './saved-views.ts';

interface SavedViewsProps {
  search: UsersSearch;
  onChange: (search: UsersSearch) => void;
}

/** Views that the person has saved in this browser, and a field to save the current one. */
export function SavedViews({ search, onChange }: SavedViewsProps) {
  const id = useId();
  const [views, save] = useViews();
  const show = (view: SavedView) =>
    onChange({ ...(search.search !== undefined && { search: search.search }), ...view.search });
  return (
    <Stack
      gap={8}
      pt={12}
      mt={12}
      style={{ borderTop: '1px solid var(--hairline)' }}
      renderRoot={(props) => <section {...props} />}
      aria-labelledby={id}
    >
      <Text component="h2" id={id} fz={13} fw={600}>
        Saved views
      </Text>
      {views.map((view) => (
        <Group key={view.name} gap={4} wrap="nowrap">
          <Button
            {...(isShown(view, search) ? { variant: 'light' } : { variant: 'subtle', color: 'gray' })}
            size="compact-sm"
            justify="start"
            flex={1}
            miw={0}
            aria-pressed={isShown(view, search)}
            onClick={() => show(view)}
          >
            {view.name}
          </Button>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={28}
            aria-label={`Delete view ${view.name}`}
            onClick={() => save(withoutView(views, view.name))}
          >
            <Icon name="trash" size={16} />
          </ActionIcon>
        </Group>
      ))}
      <SaveView isFull={views.length >= VIEWS_MAX} onSave={(name) => save(withView(views, toView(name, search)))} />
    </Stack>
  );
}

function SaveView({ isFull, onSave }: { isFull: boolean; onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (cleanName(name) === '' || isFull) return;
    onSave(name);
    setName('');
  };
  if (isFull) return <Text fz={13}>Delete a view to save another one.</Text>;
  return (
    <Group renderRoot={(props) => <form {...props} onSubmit={submit} />} gap={8} wrap="nowrap">
      <TextInput
        flex={1}
        size="xs"
        aria-label="Name of this view"
        placeholder="Name these filters"
        maxLength={VIEW_NAME_MAX}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" size="xs" variant="default" disabled={cleanName(name) === ''}>
        Save view
      </Button>
    </Group>
  );
}

function useViews(): [SavedView[], (views: SavedView[]) => void] {
  const { id: personId } = useSignedInUser();
  const { id: teamId } = useCurrentTeam();
  const kept = viewsOf(teamId, personId);
  const [views, setViews] = useState(() => readViews(kept.read()));
  const save = (changed: SavedView[]) => {
    kept.write(JSON.stringify(changed));
    setViews(changed);
  };
  return [views, save];
}
