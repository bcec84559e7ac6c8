import '@mantine/core/styles/Popover.layer.css';
import '@mantine/core/styles/InlineInput.layer.css';
import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Checkbox, Popover } from '@mantine/core';
import { useState } from 'react';
import { Icon } from '#platform/page/icon.tsx';
import hidden from '#platform/page/visually-hidden.module.css';
import { countFilters, FILTERS, type UsersSearch, withFilter, withoutFilters } from './filters.ts';
import classes from './user-filters.module.css';

interface UserFiltersProps {
  search: UsersSearch;
  onChange: (search: UsersSearch) => void;
}

/** The filters of spec §2: each takes effect at once; Reset clears all of them and closes the panel (spec §4). */
export function UserFilters({ search, onChange }: UserFiltersProps) {
  const [opened, setOpened] = useState(false);
  const active = countFilters(search);
  const reset = () => {
    onChange(withoutFilters(search));
    setOpened(false);
  };
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" width={260} trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<Icon name="filter" size={16} />}
          rightSection={active > 0 && <Count active={active} />}
          onClick={() => setOpened(!opened)}
        >
          Filters
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Filters">
        <div className={classes.choices}>
          {FILTERS.map(({ name, label }) => (
            <Checkbox
              key={name}
              label={label}
              checked={search[name] === 1}
              onChange={(event) => onChange(withFilter(search, name, event.currentTarget.checked))}
              classNames={name === 'deactivated_accounts' ? { root: classes.apart ?? '' } : {}}
            />
          ))}
        </div>
        <div className={classes.foot}>
          <Button variant="subtle" size="compact-sm" disabled={active === 0} onClick={reset}>
            Reset
          </Button>
        </div>
      </Popover.Dropdown>
    </Popover>
  );
}

function Count({ active }: { active: number }) {
  return (
    <span className={classes.count}>
      {active}
      <span className={hidden.unseen}> active</span>
    </span>
  );
}
