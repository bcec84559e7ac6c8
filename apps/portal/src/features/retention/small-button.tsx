import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';

/** As high as the button: easy to touch on a phone. */
export const SMALL_HEIGHT = { base: 44, sm: 26 };

/** A small button beside a text or in a table. */
export function SmallButton(props: ButtonProps & Omit<ComponentPropsWithRef<'button'>, keyof ButtonProps>) {
  return <Button size="compact-sm" variant="default" h={SMALL_HEIGHT} px={{ base: 14, sm: 8 }} {...props} />;
}
