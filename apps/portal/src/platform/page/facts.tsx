import { Button, type ButtonProps, DataList, Text } from '@mantine/core';
import type { ComponentPropsWithRef, ReactNode } from 'react';
import { VIEWER_ZONE } from '#platform/time/format.ts';
import { Timestamp } from '#platform/time/timestamp.tsx';

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

/** The time is in the viewer's zone. The zone is named if the team, whose dates are shown next to it, is in another one. */
export function TeamTimestamp({ at, teamZone }: { at: number; teamZone: string | undefined }) {
  return (
    <>
      <Timestamp at={at} />
      {teamZone !== undefined && teamZone !== VIEWER_ZONE && ` (${VIEWER_ZONE})`}
    </>
  );
}

/** The height makes the control easy to touch on a phone. */
export const SMALL_HEIGHT = { base: 44, sm: 26 };

export function SmallButton(props: ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>) {
  return <Button size="compact-sm" variant="default" h={SMALL_HEIGHT} px={{ base: 14, sm: 8 }} {...props} />;
}

export function Quiet({ children }: { children: ReactNode }) {
  return (
    <Text span c="dimmed" fz="0.8125rem">
      {children}
    </Text>
  );
}
