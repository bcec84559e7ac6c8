import { Box, Button } from '@mantine/core';
import { Suspense, type SyntheticEvent, useRef, useState } from 'react';
import { lazyComponent } from '#platform/lazy-component.ts';
import { Icon } from '#platform/page/icon.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { countFilters, type UsersSearch, withoutFilters } from './filters.ts';

// The panel needs the positioning library, so it is loaded on demand.
const FiltersPanel = lazyComponent(async () => (await import('./filters-panel.tsx')).FiltersPanel);

interface UserFiltersProps {
  search: UsersSearch;
  onChange: (search: UsersSearch) => void;
}

/** Each filter takes effect immediately; Reset clears all of them and closes the panel. */
export function UserFilters({ search, onChange }: UserFiltersProps) {
  const [opened, setOpened] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const active = countFilters(search);
  const close = () => {
    setOpened(false);
    button.current?.focus();
  };
  // The open panel closes on a press outside; a press on its own button must not close it first and then reopen it.
  const keepOpen = (event: SyntheticEvent) => opened && event.stopPropagation();
  return (
    <Box component="span" pos="relative">
      <Button
        ref={button}
        variant="default"
        leftSection={<Icon name="filter" size={16} />}
        rightSection={active > 0 && <Count active={active} />}
        aria-haspopup="dialog"
        aria-expanded={opened}
        onPointerEnter={FiltersPanel.preload}
        onMouseDown={keepOpen}
        onTouchStart={keepOpen}
        onClick={() => setOpened(!opened)}
      >
        Filters
      </Button>
      {opened && (
        <Suspense fallback={null}>
          <FiltersPanel
            search={search}
            onChange={onChange}
            onReset={() => {
              onChange(withoutFilters(search));
              close();
            }}
            onClose={close}
          />
        </Suspense>
      )}
    </Box>
  );
}

function Count({ active }: { active: number }) {
  return (
    <Box
      component="span"
      className="figures"
      miw={20}
      px={5}
      bdrs={6}
      bg="var(--mantine-primary-color-filled)"
      c="var(--mantine-primary-color-contrast)"
      fz={12}
      lh="20px"
    >
      {active}
      <span className={hidden.unseen}> active</span>
    </Box>
  );
}
