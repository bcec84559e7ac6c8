import { DataList } from '@mantine/core';
import type { ReactNode } from 'react';

/** A fact without a value is left out. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <DataList
      labelWidth="7.5rem"
      className="figures"
      styles={{ root: { '--data-list-fz': '0.8125rem', '--data-list-gap': '6px' } }}
    >
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <DataList.Item key={name}>
              <DataList.ItemLabel>{name}</DataList.ItemLabel>
              <DataList.ItemValue miw={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </DataList.ItemValue>
            </DataList.Item>
          ),
      )}
    </DataList>
  );
}
